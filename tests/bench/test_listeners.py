"""Several listeners at once, with the test voice: everybody is counted, alone, by deadline and by arrival."""

from firstword.bench.listeners import run


def test_every_order_has_its_figures_for_every_listener() -> None:
    told = run(3, 1, lambda _: None, max_lead_s=None, engine="tone")
    assert [crowd.order for crowd in told.crowds] == ["one alone", "deadline order", "order of arrival"]
    assert [len(crowd.first_audio_ms) for crowd in told.crowds] == [1, 3, 3]
    assert [len(crowd.underrun_ms) for crowd in told.crowds] == [1, 3, 3]
    assert len(told.audio_s) == 3
    assert min(told.audio_s) > 3.0
    assert set(told.worst_over_alone) == {"deadline order", "order of arrival"}
    assert set(told.longest_step_ms) == {"front", "body", "window"}
