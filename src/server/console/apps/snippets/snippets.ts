import type { z } from 'zod'
import type { ConnectSnippets } from '../../../../shared/console/apps.ts'
import { TAURI_JAVASCRIPT, TAURI_RUST, tauriConfiguration } from './tauri.ts'

/** Returns what goes into the `Info.plist` of an app with Sparkle. */
function sparkleConfiguration(appcast: string): string {
  return `<key>SUFeedURL</key>
<string>${appcast}</string>
<key>SUPublicEDKey</key>
<string>PUBLIC KEY THAT generate_keys PRINTS</string>
`
}

const SPARKLE_SWIFT = `import Foundation
import Sparkle

final class UpdateDelegate: NSObject, SPUUpdaterDelegate {
    /// Returns a random ID, created once and kept, so that the device stays in every rollout that it is in.
    private func deviceId() -> String {
        let defaults = UserDefaults.standard
        if let id = defaults.string(forKey: "UpdateDevice") { return id }
        let id = UUID().uuidString.lowercased()
        defaults.set(id, forKey: "UpdateDevice")
        return id
    }

    func feedParameters(
        for updater: SPUUpdater,
        sendingSystemProfile: Bool
    ) -> [[String: String]] {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String ?? ""
        return ["device": deviceId(), "version": version].map {
            ["key": $0.key, "value": $0.value, "displayKey": $0.key, "displayValue": $0.value]
        }
    }
}
`

type Snippet = z.output<typeof ConnectSnippets>['snippets'][number]

/** Returns the code that connects an app to the server at `address`. docs/connect.md shows the same; a test compares them. */
export function snippetsFor(
  address: string,
  place: { readonly app: string; readonly channel: string },
): Snippet[] {
  const under = (path: string) => `${address}/${path}/${place.app}/${place.channel}`
  const base = under('u')
  const device = "'X-Service-Device: my-test-device'"
  const electron = under('electron')
  const appcast = `${under('sparkle')}/appcast.xml`
  return [
    { address, id: 'tauri_configuration', text: tauriConfiguration(base) },
    { address, id: 'tauri_javascript', text: TAURI_JAVASCRIPT },
    { address, id: 'tauri_rust', text: TAURI_RUST },
    { address, id: 'electron_configuration', text: builderConfiguration(electron) },
    { address, id: 'electron_updater', text: electronUpdaterSnippet(electron) },
    { address, id: 'electron_squirrel', text: autoUpdaterSnippet(under('squirrel')) },
    { address, id: 'sparkle_configuration', text: sparkleConfiguration(appcast) },
    { address, id: 'sparkle_swift', text: SPARKLE_SWIFT },
    { address, id: 'velopack', text: velopackSnippet(under('velopack'), place.app) },
    { address, id: 'other', text: otherSnippet(base) },
    { address, id: 'publish', text: publishSnippet(address, place) },
    { address, id: 'try', text: `curl -i -H ${device} ${base}/windows/x86_64/1.0.0\n` },
  ]
}

/** Returns a script that publishes a signed build to 10% of the devices. */
function publishSnippet(
  address: string,
  { app, channel }: { readonly app: string; readonly channel: string },
): string {
  return `FILE=Editor_1.2.0_x64-setup.exe
curl -sS --fail-with-body ${address}/api/v1/releases \\
  -H "Authorization: Bearer $TIDEGATE_KEY" -H 'Content-Type: application/json' \\
  -d '{
    "app": "${app}", "channel": "${channel}", "version": "1.2.0", "rolloutPct": 10,
    "notes": "Fixes printing.",
    "artifacts": [{
      "platform": "windows", "arch": "x86_64",
      "url": "https://downloads.example.com/1.2.0/'"$FILE"'",
      "sha512": "'"$(openssl dgst -sha512 -r "$FILE" | cut -d ' ' -f 1)"'",
      "signature": "'"$(cat "$FILE.sig")"'"
    }]
  }'
`
}

/** Returns a script that does what an updater has to do. `base` is the address of update checks for a channel. */
function otherSnippet(base: string): string {
  return `import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const VERSION = '1.0.0'

if (!existsSync('device-id')) writeFileSync('device-id', randomUUID())
const device = readFileSync('device-id', 'utf8')

const check = await fetch(\`${base}/windows/x86_64/\${VERSION}\`, {
  headers: { 'X-Service-Device': device },
})
if (!check.ok) throw new Error(\`The update check failed: \${(await check.json()).error}\`)

if (check.status === 204) {
  console.log(\`\${VERSION} is up to date\`)
} else {
  const update = await check.json()
  const download = await fetch(update.url)
  if (!download.ok) throw new Error(\`The download failed with status \${download.status}\`)
  const file = Buffer.from(await download.arrayBuffer())
  // Compare in the encoding that you publish, here hex.
  const sha512 = createHash('sha512').update(file).digest('hex')
  if (sha512 !== update.sha512) throw new Error('The downloaded file is damaged')
  writeFileSync('update.exe', file)
  console.log(\`Downloaded \${update.version}\`)
}
`
}

/** Returns what goes into `electron-builder.yml`. `feed` is the address of a channel's feed for electron-updater. */
function builderConfiguration(feed: string): string {
  return `publish:
  provider: generic
  url: ${feed}
`
}

/** Returns code for the main process of an app with electron-updater. */
function electronUpdaterSnippet(feed: string): string {
  return `import { app } from 'electron'
import updater from 'electron-updater'

const FEED = '${feed}'

export async function checkForUpdate() {
  const { autoUpdater } = updater
  const about = new URLSearchParams({ version: app.getVersion(), arch: process.arch })
  autoUpdater.setFeedURL(\`\${FEED}?\${about}\`)
  // After a rollback, Tidegate offers a lower version.
  autoUpdater.allowDowngrade = true
  await autoUpdater.checkForUpdatesAndNotify()
}
`
}

/** Returns code for the main process of an app with Electron's own updater. `feed` is that of a channel for Squirrel. */
function autoUpdaterSnippet(feed: string): string {
  return `import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater } from 'electron'

const FEED = '${feed}'

// A random ID, created once and kept, so that the device stays in every rollout that it is in.
function deviceId() {
  const file = join(app.getPath('userData'), 'update-device')
  if (!existsSync(file)) writeFileSync(file, randomUUID())
  return readFileSync(file, 'utf8')
}

export function checkForUpdate() {
  const version = encodeURIComponent(app.getVersion())
  const url = \`\${FEED}/\${process.platform}/\${process.arch}/\${version}?device=\${deviceId()}\`
  autoUpdater.setFeedURL({ url })
  autoUpdater.checkForUpdates()
}
`
}

/** Returns C# code that updates an app with Velopack. `feed` is the address of a channel's feeds. */
function velopackSnippet(feed: string, app: string): string {
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
