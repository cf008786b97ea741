import { recorded } from './recorded.ts'
import { standIn } from './stand-in.ts'

/** Switches of Chromium: stored without effect. */
export function commandLine() {
  const switches = new Map<string, string>()
  return standIn('app.commandLine', {
    appendSwitch: (name: string, value = '') => {
      switches.set(name, value)
      recorded.switches.push(name)
    },
    appendArgument: (value: string) => {
      recorded.switches.push(value)
    },
    hasSwitch: (name: string) => switches.has(name),
    getSwitchValue: (name: string) => switches.get(name) ?? '',
    removeSwitch: (name: string) => {
      switches.delete(name)
    },
  })
}
