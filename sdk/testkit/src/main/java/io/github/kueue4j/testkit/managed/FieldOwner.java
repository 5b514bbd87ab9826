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
package io.github.kueue4j.testkit.managed;

import org.apiguardian.api.API;

/**
 * Who writes, as far as the ownership of fields goes.
 *
 * @param manager the field manager's name; empty for the server itself, which owns nothing
 * @param apiVersion in which it writes
 * @param subresource through which it writes, empty for the object's own endpoint
 */
@API(status = API.Status.INTERNAL)
public record FieldOwner(String manager, String apiVersion, String subresource) {}
