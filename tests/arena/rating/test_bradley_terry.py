"""Ratings from a table: right, finite, honest about their errors, and free of order."""

from itertools import combinations
from math import isfinite, log
from statistics import NormalDist

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import Meeting, PairTable, Ratings, UnknownVersion, fit

SPREAD = 400
ELO = 400 / log(10)


def all_of(ratings: Ratings) -> list[object]:
    """Everything a fit tells, to be compared to the last bit."""
    ids = [standing.version for standing in ratings.standings]
    compared = [ratings.compare(one, other) for one, other in combinations(ids, 2)]
    return [ratings.standings, ratings.pair_correlation, ratings.matches_saved, compared]


def rating_of(ratings: Ratings, version: int) -> float:
    return next(s.rating for s in ratings.standings if s.version == version)


def error_of(ratings: Ratings, version: int) -> float:
    return next(s.error for s in ratings.standings if s.version == version)


# --- against other ways to get the same numbers ------------------------------------------------


def test_strengths_and_covariance_agree_with_choix() -> None:
    rng = np.random.default_rng(66)
    size, played = 12, 700
    strengths = rng.normal(0, 1.2, size)
    meetings, data = [], []
    for _ in range(played):
        one, other = map(int, rng.choice(size, 2, replace=False))
        won = rng.random() < 1 / (1 + np.exp(strengths[other] - strengths[one]))
        meetings.append(Meeting(one, other, singles_won=int(won), singles_lost=int(not won)))
        data.append((one, other) if won else (other, one))
    penalty = (ELO / SPREAD) ** 2 / 2  # choix takes it times the sum of squares
    theirs = choix.opt_pairwise(size, data, alpha=penalty, tol=1e-12)
    covariance = np.linalg.inv(choix.opt.PairwiseFcts(data, penalty).hessian(theirs))

    ours = fit(PairTable(meetings))

    for one, other in combinations(range(size), 2):
        spread = np.zeros(size)
        spread[[one, other]] = 1, -1
        difference = ours.compare(one, other)
        assert difference.elo == pytest.approx(ELO * float(spread @ theirs), abs=0.01)
        deviation = ELO * float(spread @ covariance @ spread) ** 0.5
        assert difference.error == pytest.approx(1.96 * deviation, rel=1e-4)
        los = NormalDist().cdf(difference.elo / deviation)
        assert difference.los == pytest.approx(los, abs=1e-4)


def test_two_versions_with_many_matches_come_out_at_their_score() -> None:
    table = PairTable([Meeting(1, 2, singles_won=640_000, singles_lost=360_000)])
    difference = fit(table).compare(1, 2)
    assert difference.elo == pytest.approx(ELO * log(64 / 36), abs=0.1)
    assert difference.error == pytest.approx(1.96 * ELO / (1e6 * 0.64 * 0.36) ** 0.5, rel=0.01)


# --- order ------------------------------------------------------------------------------------

results = st.lists(
    st.builds(
        lambda two, counts: Meeting(*two, *counts),
        st.lists(st.integers(1, 8), min_size=2, max_size=2, unique=True),
        st.lists(st.integers(0, 3), min_size=5, max_size=5),
    ),
    max_size=30,
)


@given(results.flatmap(lambda r: st.tuples(st.just(r), st.permutations(r))), st.booleans())
def test_fc106_any_order_of_arrival_gives_the_same_bits(
    two: tuple[list[Meeting], list[Meeting]], swap: bool
) -> None:
    came, otherwise = two
    if swap:
        otherwise = [
            Meeting(m.second, m.first, m.lost, m.split, m.won, m.singles_lost, m.singles_won)
            for m in otherwise
        ]
    assert all_of(fit(PairTable(came))) == all_of(fit(PairTable(otherwise)))


@given(results)
def test_one_batch_or_many_give_the_same_bits(batch: list[Meeting]) -> None:
    single = [
        Meeting(m.first, m.second, *(int(column == c) for c in range(5)))
        for m in batch
        for column, count in enumerate(m[2:])
        for _ in range(count)
    ]
    versions = range(1, 9)
    together = fit(PairTable(batch, versions))
    assert all_of(together) == all_of(fit(PairTable(single, versions)))


# --- odd tables -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meetings",
    [
        [],
        [Meeting(1, 2)],
        [Meeting(1, 2, won=300)],
        [Meeting(1, 2, lost=1)],
        [Meeting(1, 2, split=300)],
        [Meeting(1, 2, singles_won=10**7)],
        [Meeting(1, 2, won=5, lost=5), Meeting(3, 4, won=40)],
        [Meeting(1, 2, won=10**6), Meeting(2, 3, won=10**6), Meeting(1, 3, lost=10**6)],
        [Meeting(n, n + 1, won=1000) for n in range(1, 60)],
    ],
    ids=["nothing", "0:0", "300:0", "0:1", "level", "ten-million:0", "islands", "circle", "chain"],
)
def test_fc115_lopsided_empty_or_split_tables_stay_finite(meetings: list[Meeting]) -> None:
    ratings = fit(PairTable(meetings, versions=[1, 2]), anchor=1)
    assert {1, 2} <= {s.version for s in ratings.standings}
    assert all(isfinite(s.rating) and isfinite(s.error) for s in ratings.standings)
    assert rating_of(ratings, 1) == 1500
    assert error_of(ratings, 1) == 0


def test_fc115_three_hundred_to_nothing_is_far_ahead_and_within_sight() -> None:
    difference = fit(PairTable([Meeting(1, 2, won=300)])).compare(1, 2)
    assert difference.elo - difference.error > 500
    assert difference.elo + difference.error < 3000
    assert difference.los > 0.9999


def test_a_table_of_nobody_has_no_standings() -> None:
    assert fit(PairTable()).standings == ()


def test_a_version_alone_stands_first_at_the_centre() -> None:
    (alone,) = fit(PairTable(versions=[5])).standings
    assert (alone.version, alone.rank, alone.rating, alone.matches) == (5, 1, 1500, 0)
    assert (alone.best_rank, alone.worst_rank) == (1, 1)


def test_a_newcomer_has_the_error_bar_of_the_prior() -> None:
    ratings = fit(PairTable([Meeting(1, 2, won=900, lost=900)], versions=[3]), anchor=1)
    assert error_of(ratings, 3) == pytest.approx(1.96 * SPREAD * (1.5) ** 0.5, rel=0.01)


# --- frames -----------------------------------------------------------------------------------

LEAGUE = [
    Meeting(1, 2, 60, 30, 10),
    Meeting(2, 3, 50, 30, 20),
    Meeting(1, 3, 80, 15, 5),
    Meeting(3, 4, 30, 41, 29),
]


def test_the_anchor_is_1500_without_error_and_the_others_are_measured_from_it() -> None:
    ratings = fit(PairTable(LEAGUE), anchor=3)
    assert rating_of(ratings, 3) == 1500
    assert error_of(ratings, 3) == 0
    difference = ratings.compare(1, 3)
    assert rating_of(ratings, 1) == pytest.approx(1500 + difference.elo, abs=0.002)
    assert error_of(ratings, 1) == pytest.approx(difference.error, abs=0.002)


def test_without_an_anchor_the_mean_is_1500() -> None:
    ratings = fit(PairTable(LEAGUE))
    assert sum(s.rating for s in ratings.standings) / 4 == pytest.approx(1500, abs=0.002)
    assert all(s.error > 0 for s in ratings.standings)


def test_the_frame_changes_no_difference() -> None:
    free, anchored = fit(PairTable(LEAGUE)), fit(PairTable(LEAGUE), anchor=2)
    for one, other in combinations(range(1, 5), 2):
        assert free.compare(one, other) == anchored.compare(one, other)


@pytest.mark.parametrize("unknown", [0, 99])
def test_an_unknown_version_is_named(unknown: int) -> None:
    with pytest.raises(UnknownVersion, match=f"version {unknown} is not among"):
        fit(PairTable(LEAGUE), anchor=unknown)
    with pytest.raises(UnknownVersion, match=f"version {unknown} is not among"):
        fit(PairTable(LEAGUE)).compare(1, unknown)


# --- standings --------------------------------------------------------------------------------


def test_standings_come_best_first_with_the_sums_of_each() -> None:
    standings = fit(PairTable(LEAGUE)).standings
    assert [s.version for s in standings] == [1, 2, 3, 4]
    assert [s.rank for s in standings] == [1, 2, 3, 4]
    second = standings[1]
    assert (second.matches, second.wins) == (400, 50 + 130)
    assert (second.pairs_won, second.pairs_split, second.pairs_lost) == (60, 60, 80)


def test_a_rank_is_a_range_over_those_not_separable() -> None:
    first, second, third, fourth = fit(PairTable(LEAGUE)).standings
    assert [(s.best_rank, s.worst_rank) for s in (first, second)] == [(1, 1), (2, 2)]
    assert [(s.best_rank, s.worst_rank) for s in (third, fourth)] == [(3, 4), (3, 4)]
    assert [s.separable_from_next for s in (first, second, third, fourth)] == [
        True,
        True,
        False,
        True,
    ]


def test_equal_versions_stand_in_order_of_their_ids_and_are_not_separable() -> None:
    ratings = fit(PairTable([Meeting(9, 4, won=7, lost=7)]))
    assert [s.version for s in ratings.standings] == [4, 9]
    difference = ratings.compare(4, 9)
    assert (difference.elo, difference.los, difference.separable) == (0, 0.5, False)


# --- the two matches of a pair ----------------------------------------------------------------


def simulated_league(
    rng: np.random.Generator, size: int, pairs: int, latent: float
) -> tuple[np.ndarray, PairTable]:
    """Strengths from the prior, and pairs whose two matches share their luck.

    Luck is normal, that of the second match correlated with the first one's by `latent`.
    """
    strengths = rng.normal(0, SPREAD, size)
    one, other = np.triu_indices(size, 1)
    chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
    needed = np.array([NormalDist().inv_cdf(p) for p in chance])
    luck = rng.normal(size=(2, pairs, len(one)))
    luck[1] = latent * luck[0] + (1 - latent**2) ** 0.5 * luck[1]
    wins = (luck < needed).sum(axis=0)
    counts = [(wins == n).sum(axis=0) for n in (2, 1, 0)]
    nothing = np.zeros_like(one)
    return strengths, PairTable(np.stack([one, other, *counts, nothing, nothing], axis=1))


LEAGUES = 300
"""So many that chance moves the coverage by 0.4 of a hundred, as their spread shows."""


@pytest.mark.parametrize("latent", [-0.4, 0.0, 0.4])
def test_the_bars_of_all_differences_cover_the_truth_as_often_as_they_say(latent: float) -> None:
    rng = np.random.default_rng(1)
    covered, correlations = [], []
    for _ in range(LEAGUES):
        strengths, table = simulated_league(rng, size=12, pairs=30, latent=latent)
        ratings = fit(table)
        correlations.append(ratings.pair_correlation)
        hits = []
        for one, other in combinations(range(12), 2):
            difference = ratings.compare(one, other)
            hits.append(abs(difference.elo - strengths[one] + strengths[other]) < difference.error)
        covered.append(np.mean(hits))
    assert np.std(covered) / LEAGUES**0.5 < 0.005
    assert 0.94 <= np.mean(covered) <= 0.96
    between_equals = 2 / np.pi * np.arcsin(latent)
    assert np.mean(correlations) == pytest.approx(between_equals, abs=0.04)


def test_pairs_that_split_more_often_than_chance_give_shorter_bars() -> None:
    def bar(lost: int, split: int, won: int) -> float:
        return fit(PairTable([Meeting(1, 2, won, split, lost)])).compare(1, 2).error

    independent, mirrored, doubled = bar(250, 500, 250), bar(200, 600, 200), bar(300, 400, 300)
    assert mirrored < independent < doubled
    assert mirrored / independent == pytest.approx(0.8**0.5, rel=0.01)


def test_what_mirroring_saved_is_told_in_matches() -> None:
    def saved(lost: int, split: int, won: int) -> int:
        return fit(PairTable([Meeting(1, 2, won, split, lost)])).matches_saved

    # A correlation of -0.2: 2,000 matches weigh as much as 2,500 independent ones.
    assert saved(200, 600, 200) == pytest.approx(500, abs=20)
    assert saved(250, 500, 250) == pytest.approx(0, abs=5)
    assert saved(300, 400, 300) == pytest.approx(2000 / 1.2 - 2000, abs=20)


def test_a_few_pairs_hardly_move_the_correlation() -> None:
    few = fit(PairTable([Meeting(1, 2, split=5)]))
    many = fit(PairTable([Meeting(1, 2, split=5000)]))
    assert -0.3 < few.pair_correlation < 0
    assert many.pair_correlation == -0.9


def test_single_matches_tell_nothing_about_pairs() -> None:
    assert fit(PairTable([Meeting(1, 2, singles_won=9, singles_lost=9)])).pair_correlation == 0
