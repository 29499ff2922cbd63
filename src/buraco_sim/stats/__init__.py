"""Pure estimators on arrays: pairs, the sequential test, planning, ratings, Victory Points, resampling. They play nothing."""
