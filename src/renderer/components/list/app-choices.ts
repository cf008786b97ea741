import type { AppName } from '../../../shared/console/apps.ts'
import { text } from '../strings.ts'

type Choosable = Pick<AppName, 'ref' | 'name' | 'archived'>

/** Returns names, such as those of channels, as choices of a list. */
export function nameChoices(names: Iterable<string>): { value: string; label: string }[] {
  return [...names].map((name) => ({ value: name, label: name }))
}

/** Returns apps as choices of a list, by name and reference; archived ones are marked. */
export function appChoices(apps: readonly Choosable[]): { value: string; label: string }[] {
  return apps.map(({ ref, name, archived }) => {
    const label = name === ref ? ref : text.appChoice(name, ref)
    return { value: ref, label: archived ? text.archivedChoice(label) : label }
  })
}
