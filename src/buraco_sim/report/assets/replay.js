"use strict";
// Draws the frames that the page brings along; all rules were applied before. One function a region, state = frames so far.
(() => {
  const SUITS = { s: ["♠", "s", "spades"], h: ["♥", "h", "hearts"], d: ["♦", "d", "diamonds"], c: ["♣", "c_", "clubs"] };
  const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
  const el = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const split = (text) => (text ? text.split(" ") : []);

  const card = (text, isNew) => {
    const wild = text.endsWith("*");
    const face = wild ? text.slice(0, -1) : text;
    const joker = face === "JK";
    const [symbol, suit, word] = joker ? ["★", "j", ""] : SUITS[face[1]];
    const node = el("span", `c ${suit}${wild ? " wild" : ""}${isNew ? " new" : ""}${face[0] === "T" ? " ten" : ""}`, joker ? "JK" : face[0] === "T" ? "10" : face[0]);
    if (!joker) node.append(el("i", "", symbol));
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", (joker ? "joker" : `${RANKS[face[0]] || face[0]} of ${word}`) + (wild ? ", wild" : ""));
    return node;
  };
  const backs = (n) => {
    const row = el("div", "cards");
    row.setAttribute("role", "img");
    row.setAttribute("aria-label", `${n} hidden cards`);
    for (let i = 0; i < n; i += 1) row.append(el("span", "c back"));
    return row;
  };
  const cards = (texts, fresh) => {
    const row = el("div", "cards");
    texts.forEach((text, place) => row.append(card(text, fresh(text, place))));
    return row;
  };

  class Replay {
    constructor(root) {
      this.root = root;
      this.deals = JSON.parse(document.getElementById(root.dataset.deals).textContent);
      this.at = 0;
      this.timer = null;
      for (const name of ["slider", "view", "which", "play", "board", "happened", "count"]) this[name] = root.querySelector(`.${name}`);
      this.deals.forEach((deal, index) => this.which.append(new Option(deal.title, index)));
      this.which.closest("label").hidden = this.deals.length < 2;
      this.which.addEventListener("change", () => this.open(Number(this.which.value)));
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.view.addEventListener("change", () => this.draw());
      root.querySelectorAll("button[data-go]").forEach((button) => button.addEventListener("click", () => this.move(button.dataset.go)));
      root.addEventListener("keydown", (event) => this.key(event));
      if (root.dataset.alone) document.body.addEventListener("keydown", (event) => root.contains(event.target) || this.key(event));
      this.open(0);
      if (root.dataset.seat) { this.view.value = root.dataset.seat; this.draw(); }
    }

    open(index) {
      this.deal = this.deals[index];
      this.slider.max = this.deal.frames.length - 1;
      const views = [new Option("all hands open", ""), ...this.deal.seats.map((name, seat) => new Option(`what seat ${seat} sees (${name})`, seat))];
      this.view.replaceChildren(...views);
      this.stop();
      this.go(0);
    }

    key(event) {
      const moves = { ArrowRight: "1", ArrowLeft: "-1", ArrowDown: "turn", ArrowUp: "-turn", Home: "first", End: "last", " ": "play" };
      const own = event.target.matches("select, input, textarea") || (event.key === " " && event.target.matches("button, summary"));
      if (own || !(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.move(moves[event.key]);
    }

    move(what) {
      const last = this.deal.frames.length - 1;
      if (what === "play") { if (this.timer) this.stop(); else this.start(); return; }
      if (what === "first") this.go(0);
      else if (what === "last") this.go(last);
      else if (what === "turn" || what === "-turn") {
        const turn = this.deal.frames[this.at].turn;
        const step = what === "turn" ? 1 : -1;
        let to = this.at + step;
        while (to > 0 && to < last && this.deal.frames[to].turn === turn) to += step;
        this.go(to);
      } else this.go(this.at + Number(what));
    }

    start() {
      if (this.at === this.deal.frames.length - 1) this.go(0);
      this.timer = setInterval(() => { this.go(this.at + 1); if (this.at === this.deal.frames.length - 1) this.stop(); }, 900);
      this.play.textContent = "❚❚";
      this.play.setAttribute("aria-label", "pause");
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.play.textContent = "▶";
      this.play.setAttribute("aria-label", "play");
    }

    go(to) {
      this.at = Math.max(0, Math.min(this.deal.frames.length - 1, to));
      this.slider.value = this.at;
      this.draw();
    }

    draw() {
      const state = Object.assign({}, ...this.deal.frames.slice(0, this.at + 1));
      const frame = this.deal.frames[this.at];
      const seen = this.view.value === "" ? null : Number(this.view.value);
      this.count.textContent = `turn ${frame.turn}, step ${this.at} of ${this.deal.frames.length - 1}`;
      this.slider.setAttribute("aria-valuetext", this.count.textContent);
      const told = frame.hidden !== undefined && seen !== null && seen !== frame.seat ? frame.hidden : frame.text;
      this.happened.replaceChildren();
      if (frame.seat !== null) this.happened.append(el("b", "", `Seat ${frame.seat} (${this.deal.seats[frame.seat]}): `));
      this.happened.append(told);
      this.board.replaceChildren(this.middle(state, frame, seen), this.side(0, state, frame, seen), this.side(1, state, frame, seen));
    }

    middle(state, frame, seen) {
      const box = el("div", "middle");
      const add = (label, content) => { const part = el("div"); part.append(el("div", "label", label), content); box.append(part); };
      const pile = split(state.pile);
      const top = pile.length - 1;
      const closed = seen !== null && this.deal.closed && top > 0;
      const shown = pile.length ? cards(closed ? pile.slice(top) : pile, (_, place) => Boolean(frame.new.pile) && (closed || place === top)) : el("div", "empty", "empty");
      add(`pile, ${pile.length}${closed ? ", the top only" : pile.length ? ", top at the right" : ""}`, shown);
      add(`stock, ${state.stock}`, state.stock ? backs(1) : el("div", "empty", "empty"));
      state.mortos.forEach((morto, index) => add(`morto ${index + 1}, ${split(morto).length}`, seen === null ? cards(split(morto), () => false) : backs(1)));
      return box;
    }

    side(team, state, frame, seen) {
      const box = el("section", `side t${team}`);
      const head = el("h4", "", `Team ${team}`);
      const score = el("output", "", String(state.score[team]));
      score.title = "score if the deal ended now";
      score.setAttribute("aria-label", `score of team ${team} if the deal ended now: ${state.score[team]}`);
      head.append(score);
      const melds = el("div", "melds");
      state.tables[team].forEach(([text, kind], slot) => {
        const fresh = frame.new.meld && frame.new.meld[0] === team && frame.new.meld[1] === slot ? frame.new.meld[2] : [];
        const meld = el("div", "meld");
        meld.append(cards(split(text), (_, place) => fresh.includes(place)), el("div", "label", kind));
        melds.append(meld);
      });
      if (!state.tables[team].length) melds.append(el("div", "empty", "nothing on the table"));
      box.append(head, melds);
      this.deal.seats.forEach((name, seat) => {
        if (seat % 2 === team) box.append(this.hand(seat, name, state, frame, seen));
      });
      return box;
    }

    hand(seat, name, state, frame, seen) {
      const box = el("div", `seat${frame.seat === seat ? " turn" : ""}`);
      const held = split(state.hands[seat]);
      box.append(el("div", "label", `seat ${seat}, ${name}${seat === this.deal.starter ? ", starts" : ""}: ${held.length} cards`));
      const [at, which] = frame.new.hand || [null, ""];
      const fresh = at === seat && which !== "all" ? split(which) : [];
      const isFresh = (text) => {
        if (at === seat && which === "all") return true;
        const place = fresh.indexOf(text);
        if (place >= 0) fresh.splice(place, 1);
        return place >= 0;
      };
      box.append(!held.length ? el("div", "empty", "no cards") : seen === null || seen === seat ? cards(held, isFresh) : backs(held.length));
      return box;
    }
  }

  document.querySelectorAll(".replay").forEach((root) => { root.replay = new Replay(root); });
})();
