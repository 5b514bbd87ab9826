// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

/**
 * The parameters of one AdmissionCheck, or why there are none.
 *
 * @param <P> the parameters
 */
sealed interface Resolution<P> {

  /** Changes whenever the parameters, or what is wrong with them, may have changed. */
  String version();

  /** Whether these are the same parameters, though they may come from another version. */
  default boolean readsAs(Resolution<?> other) {
    return version().equals(other.version())
        || (this instanceof Found<?> one
            && other instanceof Found<?> another
            && one.value().equals(another.value()));
  }

  /**
   * The parameters.
   *
   * @param version that of the object they were read from; empty without one
   * @param origin names that object and its generation, for people; the same as long as it isn't
   *     edited, also for another controller; empty without an object and without a place for one
   */
  record Found<P>(P value, String version, String origin) implements Resolution<P> {

    /** Parameters that never change, or whose changes only a controller that runs sees. */
    Found(P value, String version) {
      this(value, version, "");
    }
  }

  /**
   * The AdmissionCheck can't work.
   *
   * @param message for people: what to correct
   */
  record Bad<P>(String message) implements Resolution<P> {
    @Override
    public String version() {
      return message;
    }
  }
}
