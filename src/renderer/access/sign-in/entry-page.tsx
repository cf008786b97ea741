import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, type FormEvent, type ReactNode, useContext, useEffect } from 'react'
import { consoleErrorOf } from '../../bridge/error.ts'
import { ErrorNotice, PlainButton } from '../../components/blocks.tsx'
import type { Change } from '../../components/change/use-change.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { Mark } from '../../layout/mark.tsx'
import { text } from './strings.ts'

interface Props {
  readonly title: string
  readonly hint?: string | undefined
  readonly children?: ReactNode
}

const IsLaidOver = createContext(false)

interface LaidOverProps {
  readonly title: string
  readonly children: ReactNode
}

/** Lays such a page over the console and its dialogs, which stay as they are. */
export function LaidOver({ title, children }: LaidOverProps) {
  return (
    <Dialog opened title={title} isWhole closable={false} onClose={() => {}}>
      <IsLaidOver value={true}>{children}</IsLaidOver>
    </Dialog>
  )
}

/** A page outside of the console: one box in the middle of the window. */
export function EntryPage({ title, hint, children }: Props) {
  const isLaidOver = useContext(IsLaidOver)
  useEffect(() => {
    document.title = `${title} · ${text.product}`
  }, [title])
  return (
    <Box
      component={isLaidOver ? 'div' : 'main'}
      mih={isLaidOver ? '80vh' : '100vh'}
      p="md"
      style={{ display: 'grid', placeItems: 'center' }}
    >
      <Stack w="100%" maw={400} gap="md">
        <Group gap="xs" justify="center">
          <Mark />
          <Text fw={600}>{text.product}</Text>
        </Group>
        <Paper withBorder p="lg">
          <Stack gap="md">
            <div>
              <Title order={1} size="h3">
                {title}
              </Title>
              {hint !== undefined && <Quiet mt={4}>{hint}</Quiet>}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Box>
  )
}

interface WaitProps {
  readonly query: Pick<UseQueryResult<unknown, unknown>, 'error' | 'failureCount' | 'failureReason'>
}

/** Stands where such a page or the console will be once the query is answered. Says why it is not, after the first tries. */
export function EntryWait({ query: { error: refused, failureCount, failureReason } }: WaitProps) {
  const error = refused ?? (failureCount > 2 ? failureReason : null)
  if (error === null) return <main aria-busy="true" />
  return (
    <EntryPage title={text.notReached}>
      <ErrorNotice error={error} />
    </EntryPage>
  )
}

interface FormProps {
  readonly change: Pick<Change<never>, 'isPending' | 'error'>
  /** Title of what it failed with. */
  readonly failed: string
  readonly action: string
  readonly disabled: boolean
  readonly onSend: () => void
  /** The fields. */
  readonly children: ReactNode
  readonly below?: ReactNode
}

/** The form of such a page: its fields, its error, and the button that sends it. */
export function EntryForm({
  change,
  failed,
  action,
  disabled,
  onSend,
  children,
  below,
}: FormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {children}
        <ErrorNotice error={change.error} title={failed} />
        <Button type="submit" loading={change.isPending} disabled={disabled}>
          {action}
        </Button>
        {below}
      </Stack>
    </form>
  )
}

interface WayProps {
  readonly icon: Icon
  readonly change: Change<undefined>
  /** Title of what it failed with. */
  readonly failed: string
  readonly isFirst?: boolean
  readonly children: string
}

/** A button that signs in, or confirms, without a form. */
export function WayButton({ icon: Glyph, change, failed, isFirst = false, children }: WayProps) {
  return (
    <>
      <ErrorNotice error={change.error} title={failed} />
      <PlainButton
        icon={Glyph}
        loading={change.isPending}
        {...(isFirst ? { 'data-autofocus': true } : {})}
        onClick={() => change.send(undefined)}
      >
        {children}
      </PlainButton>
    </>
  )
}

/** Options of a query on a page outside of the console: it is sent again until the server can answer. */
export const untilReached = {
  retry: (_failures: number, error: unknown) => consoleErrorOf(error).code === 'unavailable',
  retryDelay: 1_000,
} as const
