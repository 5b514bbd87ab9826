// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.objects;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.approvalcheck.ApprovalCheck;
import io.github.kueue4j.approvalcheck.ApprovalSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.dependencycheck.DependencyCheck;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.prometheuscheck.PrometheusCheck;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Objects written as YAML, to be created through the API as a user would.
 *
 * @param objects in the order of the text
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Manifests(List<Manifest<?>> objects) {
  private static final Map<String, ResourceType<?>> TYPES =
      Stream.of(
              KueueTypes.ALL.stream(),
              Integrations.ofAll().types().values().stream(),
              Stream.of(
                  KueueTypes.PROVISIONING_REQUEST,
                  CoreTypes.NAMESPACE,
                  CoreTypes.NODE,
                  CoreTypes.POD,
                  CoreTypes.CONFIG_MAP,
                  CoreTypes.SECRET,
                  CoreTypes.JOB,
                  Policy.POLICIES,
                  Policy.BUDGETS,
                  HttpCheck.TYPE,
                  PrometheusCheck.TYPE,
                  PolicyCheck.TYPE,
                  ApprovalCheck.TYPE,
                  ApprovalSpec.TYPE,
                  DependencyCheck.TYPE))
          .flatMap(Function.<Stream<? extends ResourceType<?>>>identity())
          .distinct()
          .collect(Collectors.toMap(type -> type.apiVersion() + "/" + type.kind(), type -> type));

  public Manifests {
    objects = List.copyOf(objects);
  }

  /**
   * One object.
   *
   * @param <T> the object's type
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Manifest<T extends KubernetesObject>(ResourceType<T> type, T object) {
    private static <T extends KubernetesObject> Manifest<T> of(
        ResourceType<T> type, JsonObject tree) {
      return new Manifest<>(type, KueueJson.fromTree(tree, type));
    }

    private void create(KubernetesApi api) {
      try {
        api.create(type, object);
      } catch (KubernetesApiException.AlreadyExists kept) {
        // What is there already stays as it is, as 'kubectl create' would leave it.
        return;
      }
    }
  }

  /**
   * Reads every {@code .yaml} file of a folder, sorted by name.
   *
   * @throws IllegalArgumentException if a file is no YAML or holds a kind that isn't known here
   * @throws UncheckedIOException if the folder can't be read
   */
  public static Manifests load(Path folder) {
    return load(folder, text -> text);
  }

  /** As {@link #load(Path)}; {@code edit} may put something else in the place of a file's text. */
  public static Manifests load(Path folder, UnaryOperator<String> edit) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Manifest<?>> all = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).sorted().toList()) {
        try {
          all.addAll(parse(edit.apply(Files.readString(file))).objects());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
      }
      return new Manifests(all);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the manifests in " + folder, e);
    }
  }

  /**
   * Reads documents separated by {@code ---}.
   *
   * @throws IllegalArgumentException if the text is no YAML or holds a kind that isn't known here
   */
  public static Manifests parse(String yaml) {
    List<Manifest<?>> entries = new ArrayList<>();
    try {
      for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
        if (document != null) {
          entries.add(entry(KueueJson.toTree(document)));
        }
      }
    } catch (YAMLException e) {
      throw new IllegalArgumentException("not valid YAML: " + e.getMessage(), e);
    }
    return new Manifests(entries);
  }

  private static Manifest<?> entry(JsonElement document) {
    if (!(document instanceof JsonObject tree) || !tree.has("apiVersion") || !tree.has("kind")) {
      throw new IllegalArgumentException("a document has no apiVersion and kind");
    }
    String id = tree.get("apiVersion").getAsString() + "/" + tree.get("kind").getAsString();
    ResourceType<?> type = TYPES.get(id);
    if (type == null) {
      throw new IllegalArgumentException(id + " is none of " + TYPES.keySet());
    }
    return Manifest.of(type, tree);
  }

  /** Creates the objects in order; those that exist stay as they are. */
  public void createIn(KubernetesApi api) {
    createIn(api, created -> {});
  }

  /** As {@link #createIn(KubernetesApi)}; {@code afterEach} may wait before the next one. */
  public void createIn(KubernetesApi api, Consumer<Manifest<?>> afterEach) {
    for (Manifest<?> manifest : objects) {
      manifest.create(api);
      afterEach.accept(manifest);
    }
  }
}
