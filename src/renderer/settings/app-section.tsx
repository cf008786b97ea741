import { Input, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Preferences, type PreferencesChange } from '../../shared/console/shell.ts'
import { isDesktop, shell, shellClient } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
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

/** The desktop app itself, or the console in this browser. These settings hold at once, and restart nothing. */
export function AppSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, {
    done: () => undefined,
    failed: () => text.preferenceNotSaved,
    inTurn: true,
  })
  return (
    <Panel title={isDesktop() ? text.app : text.display}>
      <Loaded query={preferences}>
        {({ theme, timeZone, startAtLogin, closeToTray, checkForUpdates, updateServer }) => (
          <Stack gap="md">
            <Input.Wrapper label={text.theme} labelElement="div">
              <div>
                <SegmentedControl
                  aria-label={text.theme}
                  data={THEMES}
                  value={theme}
                  onChange={(value) => set.send({ theme: Theme.parse(value) })}
                />
              </div>
            </Input.Wrapper>
            <Input.Wrapper label={text.timeZone} labelElement="div">
              <div>
                <SegmentedControl
                  aria-label={text.timeZone}
                  data={TIME_ZONES}
                  value={timeZone}
                  onChange={(value) => set.send({ timeZone: TimeZone.parse(value) })}
                />
              </div>
            </Input.Wrapper>
            {isDesktop() && (
              <>
                <Switch
                  label={text.startAtLogin}
                  description={text.startAtLoginHint}
                  checked={startAtLogin}
                  onChange={(event) => set.send({ startAtLogin: event.currentTarget.checked })}
                />
                <Switch
                  label={text.closeToTray}
                  description={text.closeToTrayHint}
                  checked={closeToTray}
                  onChange={(event) => set.send({ closeToTray: event.currentTarget.checked })}
                />
                <Switch
                  label={text.checkForUpdates}
                  description={text.checkForUpdatesHint}
                  checked={checkForUpdates}
                  onChange={(event) => set.send({ checkForUpdates: event.currentTarget.checked })}
                />
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

/** Saves preferences, which apply at once on every screen. */
async function setPreferences(change: PreferencesChange): Promise<void> {
  const saved = await shellClient.shell.setPreferences.mutate(change)
  queryClient.setQueryData(shell.shell.preferences.queryKey(), saved)
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
    <TextInput
      label={text.updateServer}
      description={text.updateServerHint}
      value={typed}
      error={read.success ? undefined : text.updateServerIssue}
      spellCheck={false}
      autoComplete="off"
      maw={420}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => read.success && read.data !== value && onSave(read.data)}
    />
  )
}
