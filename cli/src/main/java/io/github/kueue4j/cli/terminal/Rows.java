// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import java.util.List;
import org.apiguardian.api.API;

/**
 * How objects of one kind are listed.
 *
 * @param <T> the objects' type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public interface Rows<T> {
  /** The names of the columns. */
  List<String> header();

  /** The cells of an object, one for each column. */
  List<String> row(T object);
}
