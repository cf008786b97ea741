import type { ElectronApplication, JSHandle } from 'playwright'
import type { recorded } from '../../electron-double/recorded.ts'
import { chooseRuntime } from '../runtime.ts'

/** Whether specs run on the double. What it alone shows, real Electron shows to a person. */
export const { isDouble } = chooseRuntime()

/** What the app did to the world outside the double. */
export type Recorded = JSHandle<typeof recorded>

export function recordedBy(app: ElectronApplication): Promise<Recorded> {
  return app.evaluateHandle((electron): typeof recorded => Reflect.get(electron, 'recorded'))
}

/** Has the person choose a dark or a light theme for the whole system. */
export async function setSystemDark(app: ElectronApplication, isDark: boolean): Promise<void> {
  await app.evaluate(({ nativeTheme }, dark) => {
    const set: (dark: boolean) => void = Reflect.get(nativeTheme, 'setSystemDark')
    set.call(nativeTheme, dark)
  }, isDark)
}
