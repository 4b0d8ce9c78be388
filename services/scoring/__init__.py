"""Scoring: score sheets, results, ratings and leaderboards, all of them folds of the rules' log."""
