import { text } from './demo/strings.ts'

/** The facts of this computer that decide what `npm start` opens. */
export interface Surroundings {
  readonly platform: NodeJS.Platform
  /** Electron's executable, undefined if it is not installed. */
  readonly binary: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

export type StartPlan =
  | { readonly kind: 'console'; readonly binary: string }
  | { readonly kind: 'headless'; readonly reason: string }

/** Returns whether to open the console, or why only the server can run. */
export function planStart({ platform, binary, env }: Surroundings): StartPlan {
  const lacks = [
    ...(binary === undefined ? [text.noBinary] : []),
    ...(hasDisplay(platform, env) ? [] : [text.noDisplay]),
  ]
  if (binary === undefined || lacks.length > 0) {
    return { kind: 'headless', reason: text.reasons(lacks) }
  }
  return { kind: 'console', binary }
}

function hasDisplay(platform: NodeJS.Platform, env: Surroundings['env']): boolean {
  if (platform === 'win32' || platform === 'darwin') return true
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Returns whether the build is missing or older than a source. Times in Unix milliseconds. */
export function buildIsStale(built: number | undefined, sources: readonly number[]): boolean {
  return built === undefined || sources.some((changed) => changed > built)
}
