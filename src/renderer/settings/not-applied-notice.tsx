import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMatch } from 'react-router'
import { startFailureSentence } from '../../shared/wording/operation/start-failure.ts'
import { shell, shellClient } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { ErrorNotice, LinkButton, Notice, SmallButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { paths } from '../paths.ts'
import { notAppliedNames } from './issue-strings.ts'
import { text } from './strings.ts'

/** Says on every screen that the server did not start with new settings, which ones, and why. */
export function NotAppliedNotice() {
  const { state } = useServerState()
  const { data: view } = useQuery(shell.shell.settings.queryOptions())
  const isOnSettings = useMatch(paths.settings) !== null
  const discard = useChange((_: undefined) => shellClient.shell.discardNotApplied.mutate({}), {
    failed: text.notSaved,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a start that ends tells whether they were applied
  useEffect(() => {
    void queryClient.invalidateQueries(shell.shell.settings.pathFilter())
  }, [state])
  const notApplied = view?.notApplied ?? null
  if (view === undefined || notApplied === null) return null
  return (
    <Notice color="red" title={text.notAppliedTitle}>
      <Stack gap="xs">
        <Text size="sm">
          {startFailureSentence(notApplied.failure)} {text.notAppliedNext}
        </Text>
        <Text size="sm">{text.notAppliedNames(notAppliedNames(view.settings, notApplied))}</Text>
        <ErrorNotice error={discard.error} title={text.notSaved} />
        <Group gap="xs">
          {!isOnSettings && (
            <LinkButton size="xs" to={paths.settings}>
              {text.openSettings}
            </LinkButton>
          )}
          <SmallButton loading={discard.isPending} onClick={() => discard.send(undefined)}>
            {text.discard}
          </SmallButton>
        </Group>
      </Stack>
    </Notice>
  )
}
