import type { NotApplied, ServerSettings } from '../../shared/console/settings.ts'
import { SETTING_LABELS } from './issue-strings.ts'

/** Returns the labels of the settings that differ from the current ones. */
export function notAppliedNames(current: ServerSettings, notApplied: NotApplied): string[] {
  return notApplied.sections.flatMap((section) => {
    const before = new Map(Object.entries(current[section]))
    return Object.entries(notApplied.settings[section]).flatMap(([name, wanted]) => {
      const isSame = JSON.stringify(wanted) === JSON.stringify(before.get(name))
      return isSame ? [] : [SETTING_LABELS[`${section}.${name}`] ?? name]
    })
  })
}
