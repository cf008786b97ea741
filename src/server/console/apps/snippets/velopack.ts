/** Returns C# code that updates an app with Velopack. `feed` is the address of a channel's feeds. */
export function velopackSnippet(feed: string, app: string): string {
  return `using Velopack;
using Velopack.Sources;

const string Feed = "${feed}/windows/x64";

// A random ID, created once and kept, so that the device stays in every rollout that it is in.
static string DeviceId()
{
    var data = Environment.GetFolderPath(Environment.SpecialFolder.ApplicationData);
    var file = Path.Combine(data, "${app}", "update-device");
    if (!File.Exists(file))
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, Guid.NewGuid().ToString());
    }
    return File.ReadAllText(file);
}

var manager = new UpdateManager(
    new SimpleWebSource($"{Feed}?device={DeviceId()}"),
    // After a rollback, Tidegate offers a lower version.
    new UpdateOptions { AllowVersionDowngrade = true });
var update = await manager.CheckForUpdatesAsync();
if (update != null)
{
    await manager.DownloadUpdatesAsync(update);
    manager.ApplyUpdatesAndRestart(update);
}
`
}
