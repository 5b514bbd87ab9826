// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * The tests of this class run in a {@link Simulation} each, with the threads and the time of all
 * that they start; in real time, as others, with {@code -Dkueue4j.simulated=false} and on a JDK
 * that has no simulations. The seed is the same in every build unless {@code -Dkueue4j.sim.seed}
 * gives another.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@API(status = API.Status.INTERNAL)
public @interface Simulated {}
