import { type Columns, orderColumns } from './order-columns.ts';

addEventListener('message', ({ data }: MessageEvent<Columns>) => postMessage(orderColumns(data)));
