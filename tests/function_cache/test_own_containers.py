"""What a function does to lists of its own, which it has written down itself, is no effect; in doubt it counts as one."""

import pytest

from firststep_agent.boost.traces.once import tells

OWN = """
def feeds_back(self, inputs, *, training=None):
    predictions = []
    x, state = self.warm(inputs)
    predictions.append(x)
    for _ in range(1, self.steps):
        x, state = self.cell(x, state)
        predictions.append(self.dense(x))
    predictions = stack(predictions)
    predictions = transpose(predictions, [1, 0])
    return predictions
---
def keeps_names():
    found = {}
    order = [1, 2, 3]
    found.update(a=1)
    order.extend(found)
    order.pop()
    return order
---
def sets_items(self, x):
    name = "b"
    found = {}
    found["a"] = x
    found[name] = x
    for name in self.names:
        found[name] = self.layer(x)
    return found
---
def nested_ones(layers):
    rows = []
    for layer in layers:
        row = [layer]
        row.append(layer(rows))
        rows.append(row)
    return rows
"""
OTHERS = """
def an_item_of_a_parameter(found, x):
    found["a"] = x
---
def an_item_of_an_item(x):
    found = {"a": x}
    found["a"]["b"] = 1
---
def an_item_of_either(self, x):
    found = {}
    (self.found if x else found)["a"] = 1
---
def an_item_by_another_key(self, x):
    found = {}
    self.found[x + 1] = 1
---
def items_of_both(self, x):
    found = {}
    found["a"] = 1
    self.found["a"] = 1
---
def an_item_taken_out(self, x):
    found = {}
    found["a"] = 1
    del self.found["a"]
---
def a_slice(self, x):
    found = []
    self.found[1:2] = found
---
def an_item_of_another_later(self, x):
    found = {}
    for one in self.all:
        found["a"] = x
        found = self.found
---
def an_item_counted_up(self, x):
    self.found["a"] += 1
---
def a_parameter(found, x):
    found.append(x)
---
def a_default(x, *found):
    found.append(x)
---
def an_attribute(self, x):
    self.found.append(x)
---
def another_name(self, x):
    found = self.found
    found.append(x)
---
def one_or_the_other(self, x):
    found = self.found if self.found is not None else []
    found.append(x)
---
def or_else(self, x):
    found = self.found or []
    found.append(x)
---
def later_another(self, x):
    found = []
    found.append(x)
    found = self.found
    found.append(x)
---
def two_at_once(self, x):
    found, other = self.found, []
    found.append(x)
---
def in_a_loop(self, x):
    mine = []
    for found in self.all:
        found.append(x)
---
def chosen_in_place(self, x):
    mine = []
    (self.found if x else mine).append(x)
---
def both_ways(self, x):
    mine = []
    mine.append(x)
    self.found.append(x)
---
def a_global_of_that_name(x):
    mine = []
    mine.append(x)
    append(x)
---
def of_the_class_above(self, x):
    mine = []
    mine.append(x)
    super().append(x)
---
def with_as(self, x):
    found = []
    with self.lists() as found:
        found.append(x)
---
def caught(self, x):
    found = []
    try:
        self.step()
    except KeyError as found:
        found.append(x)
---
def assigned_within(self, x):
    found = []
    if (found := self.found):
        found.append(x)
---
def inside_of_another(self, x):
    found = []
    found = self.other(found)
    found.append(x)
---
def another_one_the_next_time(self, x):
    found = []
    for one in self.all:
        found.append(x)
        found = self.found
---
def another_one_after_an_error(self, x):
    found = []
    while x:
        try:
            found.append(x)
            x = self.step(x)
        except ValueError:
            found = self.found
---
def kept(self, x):
    found = []
    found.append(x)
    self.found = found
"""


def code_of(text):
    space: dict = {}
    exec(text, space)
    return next(value.__code__ for name, value in space.items() if not name.startswith("__"))


@pytest.mark.parametrize("text", OWN.split("---"), ids=lambda text: text.split("(")[0].split()[-1])
def test_lists_of_its_own_are_no_effect(text):
    assert not tells(code_of(text), {})


@pytest.mark.parametrize("text", OTHERS.split("---"), ids=lambda text: text.split("(")[0].split()[-1])
def test_what_may_be_another_s_is_one(text):
    assert tells(code_of(text), {})
