/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.kinds;

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
