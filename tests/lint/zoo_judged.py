"""What lint says of the zoo, each line of it looked at: SO is {place and rule: why it is so}; NOT_SO what was said once and is not so; in
SELDOM is what is so, and a recorded start does not show.

A finding that stands in neither is new: look at it, run its program under `firststep record`, and write down what it is, or mend the rule.
"""

SO = {
    "_measurements.py:3 unused-heavy-import": "slow/unused_heavy_import.py imports it for `smooth` alone, and TensorFlow with it",
    "raw_function_loop.py:38 double-trace": "Adam makes its slots in the first trace, and so does the model, which has no input shape",
    "retracing.py:28 double-trace": "Adam makes its slots in the first trace",
    "retracing.py:37 function-retracing": "`step // 3` is another number in every third round",
    "seeds/repeated_initialization/example1_inefficient.py:15 session-churn": "a session a round",
    "seeds/repeated_initialization/example1_inefficient.py:16 growing-graph": "two variables and a loss a round, all in the default graph",
    "seeds/repeated_initialization/example1_inefficient.py:18 repeated-initialisation": "each round initialises those of all rounds before",
    "shuffle_after_map.py:33 shuffle-buffer-fill": "a thousand batches are decoded before the first one comes",
    "slow/embedded_constant.py:11 embedded-constant": "80 MB within a function: 10.1 s, 3.9 with it outside",
    "slow/embedded_constant_dataset.py:9 embedded-constant-dataset": "3,000 × 224 × 224 × 4 bytes",
    "slow/expensive_initialiser.py:6 expensive-initialiser": "an LSTM of 1,500 units: QR of 1,500 × 6,000",
    "slow/function_made_in_loop.py:10 function-made-in-loop": "one function a fold",
    "slow/function_retracing.py:22 function-retracing": "a rate that decays is another number in each round",
    "slow/growing_graph.py:16 growing-graph": "a loss a round in one graph, which is run each time",
    "slow/profiler_in_first_steps.py:13 profiler-in-first-steps": "batches 1 to 3",
    "slow/session_churn.py:19 session-churn": "24 sessions over one graph: 5.2 s of CPU time, 3.0 with one",
    "slow/unrolled_python_loop.py:13 unrolled-python-loop": "400 rounds of `range`, with three operations each",
    "slow/xla_constant_folding.py:11 embedded-constant": "32 MB, twice, which XLA folds while it compiles",
    "v1_reinitialise.py:21 growing-graph": "placeholders, variables and a loss a round, all in the default graph",
    "v1_reinitialise.py:27 session-churn": "a session a round",
    "v1_reinitialise.py:28 repeated-initialisation": "each round initialises those of all rounds before",
}
SELDOM = {
    "retracing.py:39 function-made-in-loop": "`evaluate` is decorated in every round; each fifth calls it, mostly with other shapes",
}
NOT_SO = {
    "load_and_predict_h5.py:15 slow-weight-format": "loads in 84 ms, and in 130 ms as the `.keras` that it was told to become",
    "seeds/first_step_long/example3_tf_function.py:20 double-trace": "SGD without momentum makes no variable in a step",
    "seeds/initialization_long/example2_pretrained_weights.py:12 slow-weight-format": "loads in 86 ms, and in 118 ms as a `.keras`",
    "user_style/random_in_step.py:37 double-trace": "SGD without momentum makes no variable in a step",
}
RUN_BY = {"_measurements.py": "slow/unused_heavy_import.py"}  # a module -> the program that shows it
