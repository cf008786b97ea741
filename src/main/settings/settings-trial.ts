import { isDeepStrictEqual } from 'node:util'
import type { ServerSettings } from '../../shared/console/settings/settings.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import type { StartTrial } from '../server-process/server-process.ts'
import type { SettingsFile } from './settings-file.ts'

export interface SettingsTrialOptions {
  /** The server could not start, and the last working settings are in place again. */
  onFallBack(failure: StartFailure): void
  /** The settings file could not be written. */
  onError(error: unknown): void
}

/** Goes back to the settings that the server ran with last if it does not start with new ones. */
export class SettingsTrial implements StartTrial {
  readonly #file: SettingsFile
  readonly #options: SettingsTrialOptions
  /** What the server that is starting was given: newer ones may have been saved meanwhile. */
  #tried: ServerSettings

  constructor(file: SettingsFile, options: SettingsTrialOptions) {
    this.#file = file
    this.#options = options
    this.#tried = file.server
  }

  starting(): void {
    this.#tried = this.#file.server
  }

  ready(): void {
    try {
      this.#file.markWorking(this.#tried)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  failed(failure: StartFailure): boolean {
    if (!isOfSettings(failure) || !isDeepStrictEqual(this.#tried, this.#file.server)) return false
    try {
      if (!this.#file.fallBack(failure)) return false
    } catch (error) {
      this.#options.onError(error)
      return false
    }
    this.#options.onFallBack(failure)
    return true
  }
}

/** Whether other settings can help. A database or data folder that cannot be used stays so. */
function isOfSettings({ code }: StartFailure): boolean {
  return code !== 'storage'
}
