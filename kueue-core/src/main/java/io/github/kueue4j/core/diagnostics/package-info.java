/** A look into the running process, for whoever has to find out why it is slow or large. */
@NullMarked
package io.github.kueue4j.core.diagnostics;

import org.jspecify.annotations.NullMarked;
