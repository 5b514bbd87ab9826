// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * Reviews of writes before the API server stores them: defaults and validation. Pure functions of
 * the objects, the configuration and a few facts about the cluster; {@code core.webhook} serves
 * them over HTTPS.
 *
 * <p>Rules that the schema of a CustomResourceDefinition can express are not repeated here. An
 * update is refused only for violations that it adds: an object that was stored while the webhooks
 * were down can still be changed, and its status written.
 */
@NullMarked
package io.github.kueue4j.core.admission;

import org.jspecify.annotations.NullMarked;
