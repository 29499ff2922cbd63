"""The journal of a search: every form that was played, as trials of an Optuna study, so that Optuna's own tools read it.

The trials of a generation are written when it has been played. The search is a function of its seed and of the values in
the journal: to go on after a kill, the generations that are there are told again, and the last is completed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from buraco_sim.errors import InputError, shown
from buraco_sim.tune.space import Space

FILE: Final = "journal.log"
STUDY: Final = "tune"


@dataclass(frozen=True, slots=True)
class Trial:
    """A form that was played.

    Attributes
    ----------
    generation : int
    role : str
        ``candidate``, ``mean`` of the distribution before it learned of this generation, or ``start``.
    weights : dict of str to float
        Those that move.
    value : float
        What the search maximises.
    figures : dict
        JSON values: margins by cell and so on.
    """

    generation: int
    role: str
    weights: dict[str, float]
    value: float
    figures: dict[str, Any]


class Journal:
    """The Optuna study of a search, in a folder.

    Parameters
    ----------
    folder : Path
    space : Space
    configuration : mapping of str to JSON values
        What decides every trial.
    resume : bool
        Go on with what is there.

    Raises
    ------
    InputError
        If Optuna is not installed, the folder holds a search already, or one of another configuration.
    """

    def __init__(self, folder: Path, space: Space, configuration: Mapping[str, Any], *, resume: bool) -> None:
        optuna = _optuna()
        file = folder / FILE
        if file.exists() and not resume:
            raise InputError("the folder holds a search", where=str(folder), expected="an empty or a new folder", hint="or --resume")
        folder.mkdir(parents=True, exist_ok=True)
        _mend(file)
        storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(file)))
        names = [study.study_name for study in optuna.get_all_study_summaries(storage)]
        self._study = (optuna.load_study if STUDY in names else optuna.create_study)(
            study_name=STUDY, storage=storage, **({} if STUDY in names else {"direction": "maximize"})
        )
        self._ranges = {one.name: optuna.distributions.FloatDistribution(one.low, one.high) for one in space.weights}
        self._new_trial = optuna.trial.create_trial
        self._check(json.loads(json.dumps(configuration)), str(folder))

    def _check(self, configuration: dict[str, Any], where: str) -> None:
        there = self._study.user_attrs.get("configuration")
        if there is None:  # a kill may come before the configuration is written, never between it and the trials
            self._study.set_user_attr("configuration", configuration)
            return
        for key, value in configuration.items():
            if there.get(key) != value:
                raise InputError(f"another {key} than the search there: {shown(value)}", where=where, expected=shown(there.get(key)))

    def trials(self) -> list[Trial]:
        """What was played, in order."""
        return [
            Trial(
                one.user_attrs["generation"],
                one.user_attrs["role"],
                dict(one.params),
                float(one.value),
                {key: value for key, value in one.user_attrs.items() if key not in ("generation", "role")},
            )
            for one in self._study.get_trials(deepcopy=False)
        ]

    def add(self, trial: Trial) -> None:
        """Write a trial; it is on the disk when this returns."""
        attributes = {"generation": trial.generation, "role": trial.role, **trial.figures}
        self._study.add_trial(self._new_trial(params=trial.weights, distributions=self._ranges, value=trial.value, user_attrs=attributes))


def _mend(file: Path) -> None:
    """Take away what a kill leaves behind: a line without its end, and the lock of a process that is gone."""
    file.with_name(file.name + ".lock").unlink(missing_ok=True)
    if file.exists():
        whole = file.read_bytes().rfind(b"\n") + 1
        with file.open("r+b") as journal:
            journal.truncate(whole)


def _optuna() -> Any:
    try:
        import optuna
        import optuna.storages.journal
    except ImportError:
        raise InputError("Optuna is not installed", expected="pip install 'buraco-sim[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
