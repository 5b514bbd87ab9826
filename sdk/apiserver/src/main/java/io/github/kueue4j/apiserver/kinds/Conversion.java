// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apiguardian.api.API;

/** Turns objects from the form that a version serves into the form that is stored, and back. */
@API(status = API.Status.INTERNAL)
public interface Conversion {

  /** Both forms are the same. */
  Conversion NONE =
      new Conversion() {
        @Override
        public ObjectNode toStored(ObjectNode served) {
          return served;
        }

        @Override
        public List<ObjectNode> toServed(List<ObjectNode> stored) {
          return stored;
        }

        @Override
        public boolean differs(ObjectNode stored) {
          return false;
        }

        @Override
        public boolean isOfStorage() {
          return true;
        }
      };

  ObjectNode toStored(ObjectNode served);

  /** Objects in the served form, in the same order; the same instances where nothing differs. */
  List<ObjectNode> toServed(List<ObjectNode> stored);

  /** One object in the served form; the same instance if nothing differs. */
  default ObjectNode toServed(ObjectNode stored) {
    return differs(stored) ? toServed(List.of(stored)).get(0) : stored;
  }

  /** Whether an object has another form than it is stored in. */
  boolean differs(ObjectNode stored);

  /** Whether this is the version in which objects are stored now. */
  default boolean isOfStorage() {
    return false;
  }
}
