// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A chart of this repository, rendered by Helm itself, which helm-java brings as a library. */
public record Chart(Path folder) {
  /** What a client without a cluster renders for. */
  private static final String KUBERNETES = "v1.32.0";

  public static Chart named(String name) {
    return new Chart(Checkout.root().resolve("charts").resolve(name));
  }

  public Helm helm() {
    return new Helm(folder);
  }

  LintResult lint() {
    return helm().lint().strict().call();
  }

  /** The manifest as text. */
  String manifest(UnaryOperator<TemplateCommand> values) {
    return values
        .apply(
            helm()
                .template()
                .withName("kueue")
                .withNamespace("kueue-system")
                .withKubeVersion(KUBERNETES))
        .call();
  }

  /** The objects of the manifest. */
  public List<Rendered> render(UnaryOperator<TemplateCommand> values) {
    return parse(manifest(values));
  }

  /** The objects with values as a user writes them into a file. */
  public List<Rendered> renderWith(String values) {
    return render(command -> command.withValuesFile(written(values)));
  }

  /** A file of values, in the folder of what is built; the same values are the same file. */
  public static Path written(String values) {
    try {
      Path folder = Files.createDirectories(Path.of("target", "values").toAbsolutePath());
      Path draft = Files.writeString(Files.createTempFile(folder, "draft", ".yaml"), values);
      Path file = folder.resolve(Integer.toHexString(values.hashCode()) + ".yaml");
      // Another class may just be reading it.
      return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Installs it with its defaults. */
  public void install(String release, String namespace, Path kubeconfig) {
    helm().install().withName(release).withNamespace(namespace).withKubeConfig(kubeconfig).call();
  }

  public List<Rendered> render() {
    return render(command -> command);
  }

  /** Its defaults. */
  Map<String, Object> values() {
    try {
      return parse(Files.readString(folder.resolve("values.yaml"))).getFirst().tree();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A copy of this chart that lacks a file or folder. */
  Chart copyWithout(String missing, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Path relative = folder.relativize(file);
        if (!relative.startsWith(missing)) {
          Files.copy(file, target.resolve(relative), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return new Chart(target);
  }

  /** The one object of a kind. */
  static Rendered only(List<Rendered> objects, String kind) {
    List<Rendered> found = objects.stream().filter(each -> each.kind().equals(kind)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  static List<Rendered> parse(String manifest) {
    List<Rendered> objects = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(manifest)) {
      if (document != null) {
        objects.add(new Rendered(asMap(document)));
      }
    }
    return objects;
  }

  @SuppressWarnings("unchecked") // YAML mappings of Kubernetes have strings as keys.
  static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }

  /** One rendered object. */
  public record Rendered(Map<String, Object> tree) {
    public String kind() {
      return String.valueOf(tree.get("kind"));
    }

    String name() {
      return String.valueOf(asMap(tree.get("metadata")).get("name"));
    }

    /** What stands at a path of fields; null if nothing does. */
    @Nullable JsonElement at(String... path) {
      JsonElement found = new Gson().toJsonTree(tree);
      for (String field : path) {
        found = found instanceof JsonObject object ? object.get(field) : null;
      }
      return found;
    }

    String id() {
      return kind() + "/" + name();
    }
  }
}
