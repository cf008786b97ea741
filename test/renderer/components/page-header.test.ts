import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { queryClient } from '../../../src/renderer/bridge/query-client.ts'
import { PageHeader } from '../../../src/renderer/components/page-header.tsx'

test('the links above a screen look like links', () => {
  const header = createElement(PageHeader, {
    title: '2.1.0',
    trail: [{ name: 'Apps', to: '/apps' }],
  })
  const routed = createElement(MemoryRouter, null, header)
  const page = createElement(QueryClientProvider, { client: queryClient }, routed)
  const html = renderToString(createElement(MantineProvider, null, page))
  // The breadcrumbs of the library give each link a class of their own.
  expect(html).toMatch(/<a [^>]*class="link [^"]*"[^>]*>Apps|<a [^>]*class="[^"]* link"[^>]*>Apps/)
})
