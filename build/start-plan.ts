/** What `npm start` found on this machine. */
export interface Surroundings {
  readonly platform: NodeJS.Platform
  /** Electron's executable, where there is one. */
  readonly binary: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

export type StartPlan =
  | { readonly kind: 'console'; readonly binary: string }
  | { readonly kind: 'headless'; readonly reason: string }

/** The console where it can be shown, otherwise the server alone and the reason in a few words. */
export function planStart({ platform, binary, env }: Surroundings): StartPlan {
  const lacks = [
    ...(binary === undefined
      ? ['the Electron binary is not installed (npx install-electron)']
      : []),
    ...(hasDisplay(platform, env) ? [] : ['there is no display (DISPLAY, WAYLAND_DISPLAY)']),
  ]
  if (binary === undefined || lacks.length > 0) {
    return { kind: 'headless', reason: lacks.join(' and ') }
  }
  return { kind: 'console', binary }
}

function hasDisplay(platform: NodeJS.Platform, env: Surroundings['env']): boolean {
  if (platform === 'win32' || platform === 'darwin') return true
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Whether the build must be made: there is none, or a source is younger. Times in milliseconds. */
export function buildIsStale(built: number | undefined, sources: readonly number[]): boolean {
  return built === undefined || sources.some((changed) => changed > built)
}
