import { Input, SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import { Preferences, type PreferencesChange } from '../../shared/console/shell.ts'
import { shell, shellClient } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { text } from './strings.ts'

const { theme: Theme, timeZone: TimeZone } = Preferences.shape
const THEMES = [
  { value: 'system', label: text.themeSystem },
  { value: 'light', label: text.themeLight },
  { value: 'dark', label: text.themeDark },
]

const TIME_ZONES = [
  { value: 'local', label: text.timeZoneLocal },
  { value: 'utc', label: text.timeZoneUtc },
]

interface Props extends Pick<Preferences, 'theme' | 'timeZone'> {
  readonly onChange: (change: PreferencesChange) => void
}

/** How the console looks to this person. */
export function AppearanceFields({ theme, timeZone, onChange }: Props) {
  return (
    <>
      <Choice
        label={text.theme}
        data={THEMES}
        value={theme}
        onChange={(value) => onChange({ theme: Theme.parse(value) })}
      />
      <Choice
        label={text.timeZone}
        data={TIME_ZONES}
        value={timeZone}
        onChange={(value) => onChange({ timeZone: TimeZone.parse(value) })}
      />
    </>
  )
}

interface ChoiceProps extends Pick<SegmentedControlProps, 'data' | 'value' | 'onChange'> {
  readonly label: string
}

function Choice({ label, ...control }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl aria-label={label} {...control} />
      </div>
    </Input.Wrapper>
  )
}

/** Saves preferences, which apply at once on every screen. */
export async function setPreferences(change: PreferencesChange): Promise<void> {
  const saved = await shellClient.shell.setPreferences.mutate(change)
  queryClient.setQueryData(shell.shell.preferences.queryKey(), saved)
}
