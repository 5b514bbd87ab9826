// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check: one HTTP endpoint, in any language, decides which Workloads may start.
 *
 * <p>{@link io.github.kueue4j.httpcheck.HttpCheckSpec}, the parameters of an AdmissionCheck, names
 * the endpoint. For each evaluation a document about the Workload is sent to it, and its answer
 * becomes the verdict; {@code docs/guides/http-check.md} and {@code docs/http-check-openapi.yaml}
 * describe both. The controller does what is hard: late answers are dropped, delays grow, a broken
 * endpoint is left alone for a while, and what an endpoint says is bounded in size and strictly
 * read.
 *
 * <p>Each Workload is asked about in a request of its own. There is no request for several: the
 * answers would be as late as the slowest, and the SDK's limits count evaluations.
 */
@NullMarked
package io.github.kueue4j.httpcheck;

import org.jspecify.annotations.NullMarked;
