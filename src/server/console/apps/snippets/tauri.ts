/** Returns what goes into `tauri.conf.json`. `base` is the address of update checks for a channel. */
export function tauriConfiguration(base: string): string {
  const updater = {
    pubkey: 'CONTENTS OF YOUR .pub FILE',
    endpoints: [`${base}/{{target}}/{{arch}}/{{current_version}}?bundle={{bundle_type}}`],
    allowDowngrades: true,
    // Without it, the updater rejects http in release builds.
    ...(base.startsWith('http:') ? { dangerousInsecureTransportProtocol: true } : {}),
  }
  const bundle = { createUpdaterArtifacts: true }
  return JSON.stringify({ bundle, plugins: { updater } }, null, 2)
}

export const TAURI_JAVASCRIPT = `import { check } from '@tauri-apps/plugin-updater'

// A random ID, created once and kept, so that the device stays in every rollout that it is in.
const device = localStorage.getItem('update-device') ?? crypto.randomUUID()
localStorage.setItem('update-device', device)

const update = await check({
  headers: { 'X-Service-Device': device },
  // For rollbacks with versions 2.8 to 2.11 of the plugin. Later versions read it from tauri.conf.json.
  allowDowngrades: true,
})
if (update) await update.downloadAndInstall()
`

export const TAURI_RUST = `use std::{error::Error, fs};
use tauri::{AppHandle, Manager};
use tauri_plugin_updater::UpdaterExt;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Returns a random ID, created once and kept, so that the device stays in every rollout that it is in.
fn device_id(app: &AppHandle) -> Outcome<String> {
    let folder = app.path().app_data_dir()?;
    let file = folder.join("update-device");
    if let Ok(id) = fs::read_to_string(&file) {
        return Ok(id);
    }
    let id = uuid::Uuid::new_v4().to_string();
    fs::create_dir_all(&folder)?;
    fs::write(&file, &id)?;
    Ok(id)
}

async fn update(app: AppHandle) -> Outcome<()> {
    let updater = app
        .updater_builder()
        .header("X-Service-Device", device_id(&app)?)?
        // The server decides which version the device gets, even a lower one after a rollback.
        .version_comparator(|current, update| update.version != current)
        .build()?;
    if let Some(update) = updater.check().await? {
        update.download_and_install(|_, _| {}, || {}).await?;
        app.restart();
    }
    Ok(())
}
`
