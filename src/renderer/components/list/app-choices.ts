import type { AppName } from '../../../shared/console/apps.ts'
import { text } from '../strings.ts'

/** Maximum number of choices that a searchable list shows at once; typing finds the others. */
export const MAX_CHOICES = 50

type Choosable = Pick<AppName, 'ref' | 'name' | 'archived'>

/** Returns apps as choices of a list, by name and reference; archived ones are marked. */
export function appChoices(apps: readonly Choosable[]): { value: string; label: string }[] {
  return apps.map(({ ref, name, archived }) => {
    const label = name === ref ? ref : text.appChoice(name, ref)
    return { value: ref, label: archived ? text.archivedChoice(label) : label }
  })
}
