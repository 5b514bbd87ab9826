// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.junit;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.KueueScript;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test on an embedded cluster that serves Kueue's kinds, with no Kueue on it: the test plays that
 * part.
 *
 * <pre>{@code
 * @KueueTest
 * class LicenseCheckTest {
 *   @Test
 *   void waitsForALicense(KueueCluster cluster) {
 *     cluster.admissionCheck("license", "example.com/license");
 *     cluster.run(CheckStarter.of(environment -> LicenseCheck.controller(environment)));
 *     cluster.workload("job").reserve().awaitState("license", CheckState.RETRY);
 *   }
 * }
 * }</pre>
 *
 * Parameters and non-final fields of these types are filled in: {@link KueueCluster}, {@link
 * KueueScript}, {@link EmbeddedApiServer}, {@link TimeSource} and, in virtual time, {@link
 * ManualTime}. All is closed afterwards. When a test fails, the objects and the controllers' last
 * requests come with the failure, as a suppressed {@link ClusterAtFailure}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KueueExtension.class)
public @interface KueueTest {

  /** How long a cluster lives. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  enum Lifetime {
    /** Every test method has a cluster of its own. */
    METHOD,
    /** The test methods of a class share one, and find there what earlier ones left. */
    CLASS
  }

  /** How long a cluster lives; on a test method only {@link Lifetime#METHOD} makes sense. */
  Lifetime lifetime() default Lifetime.METHOD;

  /** Whether time stands still until it is advanced; otherwise it is the machine's. */
  boolean virtualTime() default true;

  /**
   * Where virtual time stands at first, such as {@code 2026-03-29T00:59:00Z}; by default on a
   * Monday morning.
   */
  String start() default ManualTime.DEFAULT_START;

  /**
   * Whether the API server has an HTTPS port with accounts, too, for tests of a controller's own
   * rights: see {@link KueueCluster#kubeconfig(io.github.kueue4j.apiserver.access.User)}.
   */
  boolean secure() default false;

  /**
   * How long, in real time, a step of the script waits for what it needs, such as {@code 5s} or
   * {@code 1m30s}; positive.
   */
  String patience() default "60s";
}
