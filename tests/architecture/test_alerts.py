"""The alert rules, compared with what the services really count."""

from __future__ import annotations

import re
from typing import Any

import grpc
import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase

from protos.tallystick.rules.v1 import rules_pb2
from shared.platform.telemetry import Metrics
from tests.architecture.sources import ROOT

(GROUP,) = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
RULES: dict[str, dict[str, Any]] = {rule["alert"]: rule for rule in GROUP["rules"]}
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
PROMETHEUS_OWN = {"up": {"job", "instance"}}
ADDED = {"instance", "job", "le"}
"""Labels that Prometheus adds, or every histogram has."""


def _counted() -> dict[str, set[str]]:
    """Every series that a service can show, with its labels."""
    series = dict(PROMETHEUS_OWN)
    for metric in vars(Metrics()).values():
        if isinstance(metric, MetricWrapperBase):
            for suffix in SUFFIXES[metric._type]:
                series[metric._name + suffix] = {*metric._labelnames, *ADDED}
    return series


SERIES = _counted()


@pytest.mark.parametrize("name", RULES)
def test_a_rule_asks_only_for_what_is_counted(name: str) -> None:
    expression = RULES[name]["expr"]
    named = re.findall(r"\b(?:tally_\w+|up\b)", expression)
    assert named
    for series in named:
        assert series in SERIES, f"{name}: no service counts {series}"
    for series, selectors in re.findall(r"(\w+)\{(.*?)\}", expression):
        for label in re.findall(r"(\w+)(?:=~|!~|!=|=)\"", selectors):
            assert label in SERIES[series], f"{name}: {series} has no label {label}"
    for labels in re.findall(r"by \((.*?)\)", expression):
        assert {label.strip() for label in labels.split(",")} <= SERIES[named[0]]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_names_codes_and_calls_that_exist(name: str) -> None:
    expression = RULES[name]["expr"]
    codes = {code.name for code in grpc.StatusCode}
    for given in re.findall(r'code=~?"([^"]*)"', expression):
        assert set(given.split("|")) <= codes
    known = {
        f"/{service.full_name}/{method.name}"
        for service in rules_pb2.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert set(re.findall(r'method="([^"]*)"', expression)) <= known


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_is_wrong_and_what_to_do(name: str) -> None:
    rule = RULES[name]
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"].keys() == {"summary", "action"}
    shown = re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])
    (series, *_) = re.findall(r"\b(?:tally_\w+|up\b)", rule["expr"])
    assert set(shown) <= SERIES[series]
    assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))


def test_the_readme_names_every_figure() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    figures = {re.sub("_(bucket|sum|count)$", "", series) for series in SERIES} - {"up"}
    assert not [figure for figure in figures if f"`{figure}`" not in readme]


def test_what_an_operator_must_hear_of_has_a_rule() -> None:
    watched = " ".join(rule["expr"] for rule in RULES.values())
    for series in (
        "tally_relay_lag_records",
        "tally_consumer_lag_seconds",
        "tally_dead_letters_total",
        "tally_store_failures_total",
        "tally_certificate_until_seconds",
    ):
        assert series in watched
