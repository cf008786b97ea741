import { Input, SegmentedControl, type SegmentedControlProps, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Preferences, type PreferencesChange } from '../../shared/console/desktop/shell.ts'
import { isDesktop, shell, shellClient } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { ErrorNotice, Panel } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Loaded } from '../components/loading/loading.tsx'
import { TextField } from '../components/text-fields.tsx'
import { text } from './strings.ts'

/** The desktop app itself, or the console in this browser. These settings hold at once, and restart nothing. */
export function AppSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, { failed: text.preferenceNotSaved, inTurn: true })
  const toggle = (name: 'startAtLogin' | 'closeToTray' | 'checkForUpdates', checked: boolean) => (
    <Switch
      label={text[name]}
      description={text[`${name}Hint`]}
      checked={checked}
      onChange={(event) => set.send({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <Panel title={isDesktop() ? text.app : text.display}>
      <Loaded query={preferences}>
        {({ theme, timeZone, startAtLogin, closeToTray, checkForUpdates, updateServer }) => (
          <Stack gap="md">
            <AppearanceFields theme={theme} timeZone={timeZone} onChange={set.send} />
            {isDesktop() && (
              <>
                {toggle('startAtLogin', startAtLogin)}
                {toggle('closeToTray', closeToTray)}
                {toggle('checkForUpdates', checkForUpdates)}
                {checkForUpdates && (
                  <UpdateServerField
                    value={updateServer}
                    onSave={(address) => set.send({ updateServer: address })}
                  />
                )}
              </>
            )}
            <ErrorNotice error={set.error} title={text.preferenceNotSaved} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

const { updateServer: Address } = Preferences.shape

interface Props {
  readonly value: string
  readonly onSave: (address: string) => void
}

/** The server that is checked for new versions of Tidegate. Saved when the field loses focus. */
function UpdateServerField({ value, onSave }: Props) {
  const [typed, setTyped] = useState(value)
  const read = Address.safeParse(typed.trim())
  return (
    <TextField
      label={text.updateServer}
      description={text.updateServerHint}
      value={typed}
      error={read.success ? undefined : text.updateServerIssue}
      maw={420}
      onChange={setTyped}
      onBlur={() => read.success && read.data !== value && onSave(read.data)}
    />
  )
}

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

interface AppearanceFieldsProps extends Pick<Preferences, 'theme' | 'timeZone'> {
  readonly onChange: (change: PreferencesChange) => void
}

/** How the console looks to this person. */
export function AppearanceFields({ theme, timeZone, onChange }: AppearanceFieldsProps) {
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
