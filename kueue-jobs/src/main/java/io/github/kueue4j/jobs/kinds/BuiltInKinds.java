// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.nodes.MappingNode;

/** The declarations of kinds that come with the core: a file each in its distribution. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BuiltInKinds {
  private static final String FOLDER = "/io/github/kueue4j/jobs/kinds/";

  /** The names of the files, without their ending. */
  public static final List<String> FILES =
      List.of(
          "appwrapper",
          "jaxjob",
          "mpijob",
          "paddlejob",
          "pytorchjob",
          "raycluster",
          "rayjob",
          "rayservice",
          "tfjob",
          "xgboostjob");

  static final List<KindDeclaration> ALL = FILES.stream().map(BuiltInKinds::read).toList();

  private static final JobKinds REGISTRY =
      JobKinds.inCode().and(ALL.stream().map(DeclaredKind::new).toList());

  private BuiltInKinds() {}

  /** All kinds that are supported without a declaration of the user's. */
  public static JobKinds registry() {
    return REGISTRY;
  }

  /** The declaration of this name, as YAML. */
  public static String text(String name) {
    try (InputStream file = BuiltInKinds.class.getResourceAsStream(FOLDER + name + ".yaml")) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("can't read the declaration " + name, e);
    }
  }

  /** The declaration of this framework, or of the file of this name, as YAML. */
  public static Optional<String> find(String name) {
    String file = name.substring(name.indexOf('/') + 1);
    return Optional.of(file)
        .filter(FILES::contains)
        .map(BuiltInKinds::text)
        .filter(text -> name.equals(file) || parse(text).framework().equals(name));
  }

  private static KindDeclaration read(String name) {
    return parse(text(name));
  }

  /**
   * Reads a declaration.
   *
   * @throws InvalidConfigurationException if it is none; names line, key and remedy
   */
  static KindDeclaration parse(String yaml) {
    return DeclarationReader.read(block(yaml, new ArrayList<>()));
  }

  /**
   * The keys of a declaration, unread.
   *
   * @param unused gets what is accepted without effect
   */
  static YamlBlock block(String yaml, List<String> unused) {
    if (!(YamlBlock.compose(yaml) instanceof MappingNode mapping)) {
      throw new InvalidConfigurationException("a declaration must be a mapping of keys to values");
    }
    return YamlBlock.root(mapping, unused);
  }
}
