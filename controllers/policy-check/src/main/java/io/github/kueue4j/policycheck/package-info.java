// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check that needs no Java: rules in CEL decide which Workloads may start, and when.
 *
 * <p>A {@code PolicyCheck} (cluster-scoped) names windows of time and rules:
 *
 * <pre>
 * apiVersion: checks.kueue4j.io/v1alpha1
 * kind: PolicyCheck
 * metadata: {name: house-rules}
 * spec:
 *   timeZone: Europe/Berlin
 *   windows:
 *     - name: night
 *       weekly: {from: "20:00", to: "06:00"}
 *   rules:
 *     - name: large-ones-at-night
 *       when: workload.requests.of('cpu') &gt; 64 &amp;&amp; !windows.night
 *       answer: Retry
 * </pre>
 *
 * <p>What the rules say is a function of the Workload and the time ({@code Policy}). The time comes
 * in through windows only, so that the moments at which an answer can change are known: a Retry
 * lasts until the first of them at which the rules answer otherwise, and nothing is polled.
 *
 * <p>Rejected: a variable for the time itself, as {@code now.getHours() < 6}. When its answer
 * changes can only be found by trying, and people write it in UTC and mean their own clock.
 */
@NullMarked
package io.github.kueue4j.policycheck;

import org.jspecify.annotations.NullMarked;
