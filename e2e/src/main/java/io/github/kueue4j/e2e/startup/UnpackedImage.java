// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The image with its layers in a folder, started without a container engine: by its entry point and
 * its environment, with what these name in the image found in the folder. What the image's base
 * consists of, Java included, isn't used.
 *
 * @param root the folder
 * @param config the image's configuration, by the specification of OCI images
 * @param name under which a container runtime imports it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record UnpackedImage(Path root, JsonObject config, String name) implements PackagedProgram {
  private static final String APPLICATION = "/app/";
  private static final String OPTIONS = "JDK_JAVA_OPTIONS";

  public UnpackedImage {
    config = config.deepCopy();
  }

  /**
   * Unpacks an image that is in a file, in OCI's layout.
   *
   * @param folder an empty one
   * @throws PackagedProgramException if the file isn't an image, or there is no program {@code tar}
   */
  public static UnpackedImage of(Path file, Path folder) {
    try {
      Path image = Files.createDirectory(folder.resolve("image"));
      unpack("xf", file, image);
      JsonObject index = read(image.resolve("index.json"));
      JsonObject entry = index.getAsJsonArray("manifests").get(0).getAsJsonObject();
      JsonObject manifest = read(blob(image, entry));
      Path root = Files.createDirectory(folder.resolve("root"));
      for (JsonElement layer : manifest.getAsJsonArray("layers")) {
        unpack("xzf", blob(image, layer.getAsJsonObject()), root);
      }
      return new UnpackedImage(
          root,
          read(blob(image, manifest.getAsJsonObject("config"))),
          entry
              .getAsJsonObject("annotations")
              .get("org.opencontainers.image.ref.name")
              .getAsString());
    } catch (IOException e) {
      throw new PackagedProgramException("can't read the image " + file + ": " + e.getMessage(), e);
    }
  }

  private static JsonObject read(Path file) throws IOException {
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static Path blob(Path image, JsonObject descriptor) {
    String digest = descriptor.get("digest").getAsString();
    return image.resolve("blobs").resolve(digest.replace(':', '/'));
  }

  private static void unpack(String how, Path file, Path folder) throws IOException {
    Process tar =
        new ProcessBuilder("tar", how, file.toString(), "-C", folder.toString())
            .redirectErrorStream(true)
            .start();
    tar.getOutputStream().close();
    String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (tar.waitFor() != 0) {
        throw new PackagedProgramException("tar can't unpack " + file + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      tar.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new PackagedProgramException("interrupted while unpacking " + file, e);
    }
  }

  @Override
  public List<String> command(Path javaHome, List<String> javaOptions, List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add("env");
    words.add(OPTIONS + "=" + located(javaOptions() + " " + String.join(" ", javaOptions)));
    words.add(javaHome.resolve("bin/java").toString());
    JsonObject container = config.getAsJsonObject("config");
    List<JsonElement> entryPoint = container.getAsJsonArray("Entrypoint").asList();
    for (JsonElement word : entryPoint.subList(1, entryPoint.size())) {
      words.add(argument(word.getAsString()));
    }
    words.addAll(arguments);
    return List.copyOf(words);
  }

  /** The options of Java in the image's environment. */
  public String javaOptions() {
    String name = OPTIONS + "=";
    for (JsonElement each : config.getAsJsonObject("config").getAsJsonArray("Env")) {
      if (each.getAsString().startsWith(name)) {
        return each.getAsString().substring(name.length()).strip();
      }
    }
    return "";
  }

  /** A word of the entry point; a file of arguments is replaced by what it says. */
  private String argument(String word) {
    if (!word.startsWith("@" + APPLICATION)) {
      return word;
    }
    Path file = root.resolve(word.substring(2));
    try {
      return located(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file, e);
    }
  }

  private String located(String text) {
    return text.replaceAll("(^|[:=])" + APPLICATION, "$1" + root + APPLICATION);
  }
}
