// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/** kueue4j as the module cli packages it, to be started on a Java of one's choice. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public sealed interface PackagedProgram permits Distribution, UnpackedImage {
  /**
   * The words that start it.
   *
   * @param javaHome a Java of at least 21
   * @param javaOptions besides the program's own, such as {@code -Xmx256m}; none with a space
   * @param arguments such as {@code core} and its options
   */
  List<String> command(Path javaHome, List<String> javaOptions, List<String> arguments);
}
