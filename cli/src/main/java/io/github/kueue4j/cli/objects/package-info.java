// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Objects of the API server as they are stored, with the fields that the models leave out. */
@NullMarked
package io.github.kueue4j.cli.objects;

import org.jspecify.annotations.NullMarked;
