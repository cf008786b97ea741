import type { ServerSettings } from '../../shared/console/settings.ts'
import { shellClient } from '../bridge/clients.ts'
import { ConsoleError } from '../bridge/error.ts'
import { FIELD_LABELS, settingIssueText } from './issue-strings.ts'
import type { Issues } from './read-section.ts'

/** A setting that cannot be used. The message names the field. */
export class SettingRefused extends ConsoleError {
  /** The field, if it belongs to the section that was saved. */
  readonly issues: Issues

  constructor(message: string, issues: Issues) {
    super('invariant', message)
    this.issues = issues
  }
}

/** Saves a section and returns whether the server restarts with it. Throws `SettingRefused` if it cannot be used. */
export async function saveSection<Name extends keyof ServerSettings>(
  name: Name,
  value: ServerSettings[Name],
): Promise<boolean> {
  const saved = await shellClient.shell.saveSettings.mutate({ [name]: value })
  if (saved.ok) return saved.restarts
  const { field } = saved
  const issue = settingIssueText(saved.issue)
  const isHere = field.startsWith(`${name}.`)
  throw new SettingRefused(
    `${FIELD_LABELS[field] ?? field} ${issue}`,
    isHere ? new Map([[field.slice(name.length + 1), issue]]) : new Map(),
  )
}
