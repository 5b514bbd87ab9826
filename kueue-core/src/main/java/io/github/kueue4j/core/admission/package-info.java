/**
 * What the API server asks before it stores an object: which defaults it gets, and whether it may
 * be stored at all. Everything here is a function of the objects, the configuration and a few facts
 * about the cluster; {@code core.webhook} does the talking.
 *
 * <p>A rule that the schema of a CustomResourceDefinition can carry is there and not here. An
 * update is refused only for what it makes worse: an object that got past these rules once, while
 * nobody answered, can still be changed, and its status be written.
 */
@NullMarked
package io.github.kueue4j.core.admission;

import org.jspecify.annotations.NullMarked;
