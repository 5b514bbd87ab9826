/**
 * Objects of {@code kueue.x-k8s.io} turned from one served version into another, as pure functions
 * of their JSON: a field that this code doesn't know passes through.
 */
@NullMarked
package io.github.kueue4j.core.conversion;

import org.jspecify.annotations.NullMarked;
