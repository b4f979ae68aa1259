import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { closeLater } from './support.ts';

/** What a name server says to one question; undefined to say nothing. */
export interface NameAnswer {
  readonly addresses?: readonly string[];
  /** Seconds, default 60. */
  readonly ttl?: number;
  /** Default: NXDOMAIN without addresses and `isEmpty`. */
  readonly code?: number;
  /** The name exists, but has no address of this family. */
  readonly isEmpty?: boolean;
  /** Over UDP only: the client must ask again over TCP. */
  readonly isTruncated?: boolean;
  /** Milliseconds. */
  readonly after?: number;
}

export interface Question {
  readonly name: string;
  readonly family: 4 | 6;
  readonly transport: 'udp' | 'tcp';
}

export type AnswerQuestion = (question: Question) => NameAnswer | undefined;

export interface NameServer {
  /** `address:port` */
  readonly address: string;
  readonly questions: readonly Question[];
}

const NXDOMAIN = 3;
const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };

/** A DNS server (RFC 1035) on UDP and TCP that a test scripts. */
export async function startNameServer(answer: AnswerQuestion): Promise<NameServer> {
  const questions: Question[] = [];
  const respond = (message: Buffer, transport: 'udp' | 'tcp', send: (bytes: Buffer) => void) => {
    const question = readQuestion(message, transport);
    questions.push(question);
    const said = answer(question);
    if (said === undefined) return;
    setTimeout(() => send(responseTo(message, question, said)), said.after ?? 0);
  };

  const tcp = createServer((socket: Socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        respond(chunk.subarray(2), 'tcp', (bytes) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(bytes.length);
          socket.write(Buffer.concat([length, bytes]));
        });
      });
    sockets.add(socket);
  });
  const sockets = new Set<Socket>();
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const address = tcp.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const udp = createSocket('udp4');
  let isClosed = false;
  udp.on('message', (message, peer) => {
    respond(message, 'udp', (bytes) => {
      if (!isClosed) udp.send(bytes, peer.port, peer.address);
    });
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  closeLater(async () => {
    isClosed = true;
    udp.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => tcp.close(resolve));
  });
  return { address: `127.0.0.1:${port}`, questions };
}

function readQuestion(message: Buffer, transport: 'udp' | 'tcp'): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // c-ares mixes the case of names (draft-vixie-dnsext-dns0x20).
  const name = labels.join('.').toLowerCase();
  return { name, family: TYPES[message.readUInt16BE(at + 1)] ?? 4, transport };
}

function responseTo(message: Buffer, question: Question, answer: NameAnswer): Buffer {
  const { addresses = [], isEmpty, ttl = 60 } = answer;
  const code = answer.code ?? (addresses.length === 0 && !isEmpty ? NXDOMAIN : 0);
  const isTruncated = answer.isTruncated === true && question.transport === 'udp';
  const ofFamily = addresses.filter((address) => address.includes(':') === (question.family === 6));
  const records = isTruncated ? [] : ofFamily.map((address) => recordOf(address, ttl));
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code | (isTruncated ? 0x0200 : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, message.subarray(12, endOfQuestion(message)), ...records]);
}

function endOfQuestion(message: Buffer): number {
  return message.indexOf(0, 12) + 5;
}

function recordOf(address: string, ttl: number): Buffer {
  const bytes = address.includes(':')
    ? v6Bytes(address)
    : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(bytes.length === 16 ? 28 : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

/** Of an address with at most one `::`. */
function v6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array(missing).fill('0'), ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
