// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import java.util.stream.Stream;

/** What the webhooks refuse of Jobs. */
final class JobRefusals {
  private JobRefusals() {}

  private static String job(String labels, String annotations, String spec) {
    return """
    {"metadata": {"name": "row", "labels": {%s}, "annotations": {%s}}, "spec": {%s
      "template": {"spec": {"restartPolicy": "Never", "containers": [
        {"name": "c", "image": "i"}]}}}}\
    """
        .formatted(labels, annotations, spec);
  }

  private static String label(String name, String value) {
    return "\"kueue.x-k8s.io/" + name + "\": \"" + value + "\"";
  }

  /** A Job that was started, where Jobs have no defaults. */
  private static Refusal running(String before, String after, String refusal) {
    return new Refusal(Refusal.PLAIN_JOBS, before, Refusal.STARTED, after, "", refusal);
  }

  static Stream<Refusal> jobs() {
    String suspended = "\"suspend\": true,";
    return Stream.of(
        Refusal.create(
            Refusal.JOBS,
            job(label("queue-name", "A_b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Invalid value: \"A_b\": must be a DNS-1123"
                + " subdomain"),
        Refusal.create(
            Refusal.JOBS,
            job(label("prebuilt-workload-name", "A_b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]: Invalid value: \"A_b\""),
        Refusal.create(
            Refusal.JOBS,
            job("", label("prebuilt-workload-name", "a/b"), ""),
            "metadata.annotations[kueue.x-k8s.io/prebuilt-workload-name]: Invalid value: \"a/b\""),
        Refusal.create(
            Refusal.JOBS,
            job(label("max-exec-time-seconds", "0"), "", ""),
            "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]: Invalid value: \"0\": must be"
                + " an integer greater than 0"),
        Refusal.create(
            Refusal.JOBS,
            job("", label("admission-gated-by", "a b"), ""),
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid value: \"a b\""),
        Refusal.create(
            Refusal.JOBS,
            job("", label("job-min-parallelism", "3"), "\"parallelism\": 3,"),
            "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]: Invalid value: \"3\": should"
                + " be between 0 and 3"),
        Refusal.create(
            Refusal.JOBS,
            job("", label("job-min-parallelism", "few"), "\"parallelism\": 3,"),
            "Invalid value: \"few\": should be between 0 and 3"),
        Refusal.update(
            Refusal.JOBS,
            job("", label("job-min-parallelism", "2"), suspended + "\"parallelism\": 3,"),
            job("", label("job-min-parallelism", "4"), suspended + "\"parallelism\": 3,"),
            "Invalid value: \"4\": should be between 0 and 3"),
        Refusal.create(
            Refusal.JOBS,
            job("", label("job-completions-equal-parallelism", "yes"), ""),
            "Invalid value: \"yes\": must be \"true\" or \"false\""),
        Refusal.create(
            Refusal.JOBS,
            job("", label("job-completions-equal-parallelism", "true"), ""),
            "should not be enabled for a Job that is not Indexed"),
        Refusal.create(
            Refusal.JOBS,
            job(
                "",
                label("job-completions-equal-parallelism", "true"),
                "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 3,"),
            "should not be enabled when completions and parallelism differ"),
        running(
            job(label("queue-name", "a"), "", ""),
            job(label("queue-name", "b"), "", ""),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Forbidden: field is immutable; suspend"),
        Refusal.update(
            Refusal.JOBS,
            job(label("queue-name", "a"), "", suspended),
            job("", "", suspended),
            "metadata.labels[kueue.x-k8s.io/queue-name]: Forbidden: can't be removed since the"
                + " namespace has a LocalQueue"),
        running(
            job(label("prebuilt-workload-name", "a"), "", ""),
            job(label("prebuilt-workload-name", "b"), "", ""),
            "prebuilt-workload-name]: Forbidden: field is immutable"),
        running(
            job(label("max-exec-time-seconds", "5"), "", ""),
            job(label("max-exec-time-seconds", "6"), "", ""),
            "max-exec-time-seconds]: Forbidden: field is immutable"),
        Refusal.update(
            Refusal.JOBS,
            job(label("priority-class", "a"), "", suspended),
            job("", "", suspended),
            "priority-class]: Forbidden: can't be removed"),
        running(
            job("", "", ""),
            job(label("priority-class", "a"), "", ""),
            "priority-class]: Forbidden: can't be added"),
        running(
            job("", label("job-min-parallelism", "1"), "\"parallelism\": 3,"),
            job("", label("job-min-parallelism", "1"), "\"parallelism\": 2,"),
            "spec.parallelism: Forbidden: cannot change when partial admission is enabled"),
        running(
            job("", "", "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 2,"),
            job(
                "",
                label("job-completions-equal-parallelism", "true"),
                "\"completionMode\": \"Indexed\", \"parallelism\": 2, \"completions\": 2,"),
            "job-completions-equal-parallelism]: Forbidden: field is immutable"),
        running(
            job("", label("admission-gated-by", "a"), ""),
            job("", label("admission-gated-by", "a,b"), ""),
            "Invalid value: \"b\": gates can't be added"));
  }
}
