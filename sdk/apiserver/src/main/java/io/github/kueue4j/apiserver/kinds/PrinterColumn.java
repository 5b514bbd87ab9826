// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import org.apiguardian.api.API;

/**
 * A column that a CustomResourceDefinition adds to the table of its objects.
 *
 * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}
 * @param priority 0 is always shown, more only in wide output
 * @param jsonPath such as {@code .status.phase}
 */
@API(status = API.Status.INTERNAL)
public record PrinterColumn(
    String name, String type, String format, String description, int priority, String jsonPath) {}
