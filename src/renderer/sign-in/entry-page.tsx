import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Quiet } from '../components/text/quiet.tsx'
import { Mark } from '../layout/mark.tsx'
import { text } from './strings.ts'

interface Props {
  readonly title: string
  readonly hint?: string | undefined
  readonly children?: ReactNode
}

/** A page outside of the console: one box in the middle of the window. */
export function EntryPage({ title, hint, children }: Props) {
  useEffect(() => {
    document.title = title === text.product ? title : `${title} · ${text.product}`
  }, [title])
  return (
    <Box component="main" mih="100vh" p="md" style={{ display: 'grid', placeItems: 'center' }}>
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
