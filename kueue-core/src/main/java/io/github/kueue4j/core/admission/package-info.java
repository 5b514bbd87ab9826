// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * Reviews of writes before the API server stores them: defaults and refusals. They are pure: what
 * they need of the cluster comes from a {@link io.github.kueue4j.core.admission.DefaultingContext}.
 * {@code core.webhook} serves them over HTTPS. Workloads are admitted in {@code core.lifecycle}.
 *
 * <p>Rules that the schema of a CustomResourceDefinition can express are not repeated here. An
 * update is refused only for violations that it adds: an object that was stored while the webhooks
 * were down can still be changed, and its status written.
 */
@NullMarked
package io.github.kueue4j.core.admission;

import org.jspecify.annotations.NullMarked;
