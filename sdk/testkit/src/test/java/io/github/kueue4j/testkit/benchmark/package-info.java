/** Measures the embedded server; run by hand, never as a test. */
@NullMarked
package io.github.kueue4j.testkit.benchmark;

import org.jspecify.annotations.NullMarked;
